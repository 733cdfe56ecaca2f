import type { Clock } from "../base/clock.ts";
import { invalid } from "../base/errors.ts";

// Days are UTC dates in ISO 8601, such as 2026-01-31: their alphabetical order is chronological.

const FORMAT = /^(\d{4})-?(\d{2})-?(\d{2})$/;

/**
 * Returns the current day in UTC.
 *
 * @example
 * ```ts
 * import { today } from "edgehelm/fields";
 *
 * const day = today(clock); // "2026-01-31"
 * ```
 */
export function today(clock: Clock): string {
  return dayOf(clock.now());
}

/**
 * Checks a field that holds a day.
 *
 * @param value a date such as 2026-01-31 or 20260131
 * @returns the date as 2026-01-31
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { dayField } from "edgehelm/fields";
 *
 * const dayFrom = dayField("dayFrom", "20260131"); // "2026-01-31"
 * ```
 */
export function dayField(field: string, value: string): string {
  const [, year, month, day] = FORMAT.exec(value.trim()) ?? [];
  const date = `${year}-${month}-${day}`;
  const time = Date.parse(date);
  if (!Number.isNaN(time) && dayOf(time) === date) return date;
  throw invalid(field, `must be a day such as 2026-01-31, got "${value.slice(0, 60)}"`);
}

/** A span of time in unix seconds: `from` is included, `to` is not. */
export interface TimeSpan {
  readonly from: bigint;
  readonly to: bigint;
}

/** Unix seconds later than any stored time. */
const END_OF_TIME = 2n ** 53n;

/**
 * Checks the days to which a list is limited.
 *
 * @param days dates such as 2026-01-31 or 20260131, both included; an empty one sets no limit
 * @returns the time that the days span
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { daysField } from "edgehelm/fields";
 *
 * const { from, to } = daysField({ dayFrom: "2026-01-01", dayTo: "" });
 * ```
 */
export function daysField({ dayFrom, dayTo }: { readonly dayFrom: string; readonly dayTo: string }): TimeSpan {
  const begin = (day: string) => BigInt(Date.parse(day) / 1000);
  const first = dayFrom.trim() === "" ? undefined : dayField("dayFrom", dayFrom);
  const last = dayTo.trim() === "" ? undefined : dayField("dayTo", dayTo);
  return {
    from: first === undefined ? 0n : begin(first),
    to: last === undefined ? END_OF_TIME : begin(addDays(last, 1)),
  };
}

/**
 * Formats a day without dashes.
 *
 * @example
 * ```ts
 * import { compactDay } from "edgehelm/fields";
 *
 * compactDay("2026-01-31"); // "20260131"
 * ```
 */
export function compactDay(day: string): string {
  return day.replaceAll("-", "");
}

/**
 * Returns the day of the month, from 1 to 31.
 *
 * @example
 * ```ts
 * import { dayOfMonth } from "edgehelm/fields";
 *
 * dayOfMonth("2026-01-31"); // 31
 * ```
 */
export function dayOfMonth(day: string): number {
  return Number(day.slice(8));
}

/**
 * Adds days to a day.
 *
 * @param days may be negative
 *
 * @example
 * ```ts
 * import { addDays } from "edgehelm/fields";
 *
 * addDays("2026-02-28", 1); // "2026-03-01"
 * ```
 */
export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * 86_400_000);
}

/**
 * Adds calendar months to a day. If the target month is too short, the result is its last day.
 *
 * @param months may be negative
 * @param anchor the preferred day of the month, so that a series that began on the 31st returns to it
 *
 * @example
 * ```ts
 * import { addMonths } from "edgehelm/fields";
 *
 * addMonths("2026-01-31", 1); // "2026-02-28"
 * addMonths("2026-02-28", 1, 31); // "2026-03-31"
 * ```
 */
export function addMonths(day: string, months: number, anchor: number = dayOfMonth(day)): string {
  const [year, month] = day.split("-").map(Number) as [number, number];
  // day 0 of a month is the last day of the month before
  const lastDay = new Date(Date.UTC(year, month + months, 0));
  return dayOf(lastDay.setUTCDate(Math.min(anchor, lastDay.getUTCDate())));
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
