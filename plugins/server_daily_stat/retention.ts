import type { Call, Clock } from "edgehelm";
import { addDays, today } from "edgehelm/fields";
import { inBatches } from "edgehelm/storage";
import { dayNumber } from "./days.ts";
import type { StatStore } from "./store.ts";

/** Long enough to regenerate the bills of a quarter. */
const RETENTION_DAYS = 100;
const DELETE_BATCH_SIZE = 5000;

/** Returns the first day whose five-minute statistics are kept, as its number. */
export function samplesFrom(clock: Clock): bigint {
  return dayNumber(addDays(today(clock), -RETENTION_DAYS));
}

/** Deletes old five-minute statistics in batches; daily statistics are kept. */
export async function removeOld(call: Call, stats: StatStore, clock: Clock): Promise<void> {
  const before = samplesFrom(clock);
  for (const remove of [stats.removeSome, stats.removeSomeTotals]) {
    await inBatches(call, DELETE_BATCH_SIZE, (inner, limit) => remove.run(inner, { before, limit }));
  }
}
