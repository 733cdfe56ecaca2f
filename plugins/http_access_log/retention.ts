import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { LogStore } from "./log_store.ts";
import { firstOf } from "./request_id.ts";

const DAY = 86_400;
/** Little enough to hold nobody up. */
const REMOVED_AT_ONCE = 1000;

/** Removes whole days that are older than the retention, a piece at a time. */
export async function removeOld(call: Call, logs: LogStore, clock: Clock, days: number): Promise<void> {
  const today = Math.floor(Number(unixSeconds(clock)) / DAY);
  const before = firstOf((today - days) * DAY);
  while (await call.transact((inner) => logs.removeOlder(inner, before, REMOVED_AT_ONCE)) >= REMOVED_AT_ONCE);
}
