import { type Call, type Clock, unixSeconds } from "edgehelm";
import { inBatches } from "edgehelm/storage";
import { dayText } from "./days.ts";
import type { StatStore } from "./store.ts";

/** Long enough to regenerate the bills of a quarter. */
const RETENTION_DAYS = 100;
const DELETE_BATCH_SIZE = 5000;

/** Deletes old five-minute statistics in batches; daily statistics are kept. */
export async function removeOld(call: Call, stats: StatStore, clock: Clock): Promise<void> {
  const before = BigInt(dayText(Number(unixSeconds(clock)) - RETENTION_DAYS * 86_400));
  await inBatches(call, DELETE_BATCH_SIZE, (inner, limit) => stats.removeSome.run(inner, { before, limit }));
}
