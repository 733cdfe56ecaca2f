import { type Call, type Clock, inBatches, unixSeconds } from "edgehelm";
import { dayText } from "./days.ts";
import type { StatStore } from "./store.ts";

/** Long enough to make a quarter's bills again. */
const KEPT_DAYS = 100;
const REMOVED_AT_ONCE = 5000;

/** Removes old five-minute figures, a piece at a time; what days sent stays. */
export async function removeOld(call: Call, stats: StatStore, clock: Clock): Promise<void> {
  const before = BigInt(dayText(Number(unixSeconds(clock)) - KEPT_DAYS * 86_400));
  await inBatches(call, REMOVED_AT_ONCE, (inner, limit) => stats.removeSome.run(inner, { before, limit }));
}
