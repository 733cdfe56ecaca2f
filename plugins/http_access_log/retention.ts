import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { LogStore } from "./log_store.ts";
import { dayOf, firstOf } from "./request_id.ts";

const DAY = 86_400;

/** Removes whole days that are older than the retention, a piece at a time. */
export async function removeOld(call: Call, logs: LogStore, clock: Clock, days: number): Promise<void> {
  const oldest = dayOf(firstOf(Number(unixSeconds(clock)) - days * DAY));
  for (const { day } of await logs.days(call)) {
    if (day >= oldest) return;
    while (!call.signal.aborted && !await logs.dropDay(call, day));
  }
}
