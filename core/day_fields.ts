import { invalid } from "./errors.ts";

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
  const text = value.trim();
  if (text === "") return undefined;
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  // a day that a month does not have would be one of the next month
  if (!Number.isNaN(time) && new Date(time).getUTCDate() === Number(day)) return BigInt(time / 1000);
  throw invalid(field, `must be a day such as 20270131 or 2027-01-31, got "${text.slice(0, 60)}"`);
}
