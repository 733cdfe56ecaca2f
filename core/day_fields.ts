import { dayField } from "./calendar.ts";

const DAY_SECONDS = 86_400n;
/** After everything that happens. */
const NEVER = 2n ** 53n;

/** A span of time in unix seconds, the end not included. */
export interface TimeSpan {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Checks the days that a list is limited to, `YYYYMMDD` or `YYYY-MM-DD` in UTC, and answers the time they span, both
 * included; an empty one is no limit.
 */
export function daysField({ dayFrom, dayTo }: { readonly dayFrom: string; readonly dayTo: string }): TimeSpan {
  const from = beginOf("dayFrom", dayFrom);
  const to = beginOf("dayTo", dayTo);
  return { from: from ?? 0n, to: to === undefined ? NEVER : to + DAY_SECONDS };
}

function beginOf(field: string, value: string): bigint | undefined {
  return value.trim() === "" ? undefined : BigInt(Date.parse(dayField(field, value)) / 1000);
}
