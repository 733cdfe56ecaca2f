import { type Call, type Clock, invalid, unixSeconds } from "edgehelm";
import { addDays, compactDay, today } from "edgehelm/fields";
import { inBatches } from "edgehelm/storage";
import type { StatStore } from "./store.ts";

const DELETE_BATCH_SIZE = 5000;
const DAY_SECONDS = 86_400;

/** The numbers of days for which nodes can upload, and for which their statistics and the names of uploads are kept. */
export interface Days {
  readonly past: number;
  readonly keep: number;
}

/** Checks the settings about days. */
export function daysSettings(pastDays: number, keepDays = 100): Days {
  if (pastDays > 30) throw invalid("pastDays", `must be 0 to 30, got ${pastDays}`);
  if (keepDays <= pastDays || keepDays > 1000) {
    throw invalid("keepDays", `must be more than pastDays, ${pastDays}, and at most 1000, got ${keepDays}`);
  }
  return { past: pastDays, keep: keepDays };
}

/** Deletes old statistics in batches. */
export async function removeOld(call: Call, stats: StatStore, clock: Clock, { past, keep }: Days): Promise<void> {
  const day = BigInt(compactDay(addDays(today(clock), -keep)));
  // uploads of days that are refused by now need no name
  const uploads = unixSeconds(clock) - BigInt((past + 3) * DAY_SECONDS);
  const remove = async (query: StatStore["removeDays"], before: bigint) =>
    await inBatches(call, DELETE_BATCH_SIZE, (inner, limit) => query.run(inner, { before, limit }));
  for (const query of stats.removeSome) await remove(query, day * 100n);
  await remove(stats.removeDays, day);
  await remove(stats.removeUploads, uploads);
}
