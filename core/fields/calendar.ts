import type { Clock } from "../base/clock.ts";
import { invalid } from "../base/errors.ts";
import { instantIn, offsetAt } from "./time_zone.ts";

// Days are dates of the installation's time zone in ISO 8601, such as 2026-01-31: their alphabetical order is
// chronological. Only what needs the time of a day's midnight needs the zone, which the clock carries.

/** A clock, of which only the time zone is used. */
type Zoned = Pick<Clock, "timeZone">;

const FORMAT = /^(\d{4})-?(\d{2})-?(\d{2})$/;

/**
 * Returns the current day in the installation's time zone.
 *
 * @example
 * ```ts
 * import { today } from "edgehelm/fields";
 *
 * const day = today(clock); // "2026-01-31"
 * ```
 */
export function today(clock: Clock): string {
  return dayAt(clock, clock.now() / 1000);
}

/**
 * Returns the day of a time in the installation's time zone.
 *
 * @param seconds unix seconds
 *
 * @example
 * ```ts
 * import { dayAt } from "edgehelm/fields";
 *
 * dayAt({ timeZone: "Asia/Kathmandu" }, 1769883300); // "2026-02-01"
 * ```
 */
export function dayAt(clock: Zoned, seconds: bigint | number): string {
  return wallTime(clock, seconds).slice(0, 10);
}

/**
 * Returns the time of day of a time in the installation's time zone.
 *
 * @param seconds unix seconds
 *
 * @example
 * ```ts
 * import { timeOfDayAt } from "edgehelm/fields";
 *
 * timeOfDayAt({ timeZone: "Asia/Kathmandu" }, 1769883300); // "00:00:00"
 * ```
 */
export function timeOfDayAt(clock: Zoned, seconds: bigint | number): string {
  return wallTime(clock, seconds).slice(11, 19);
}

/**
 * Returns the unix seconds at which a day begins in the installation's time zone. The next day begins 24 hours later,
 * or 23 or 25 where clocks change.
 *
 * @param day such as 2026-01-31
 *
 * @example
 * ```ts
 * import { dayStart } from "edgehelm/fields";
 *
 * dayStart({ timeZone: "Asia/Kathmandu" }, "2026-02-01"); // 1769883300
 * ```
 */
export function dayStart({ timeZone }: Zoned, day: string): number {
  return instantIn(timeZone, Date.parse(day) / 1000);
}

/**
 * Returns the unix seconds at which clocks of the installation's time zone show a time of day. If they show it twice, it
 * is the first time; if they skip it, it is as long after the skip as it would have been.
 *
 * @param day such as 2026-01-31
 * @param secondOfDay such as 5400 for half past one
 *
 * @example
 * ```ts
 * import { timeOn } from "edgehelm/fields";
 *
 * timeOn({ timeZone: "Asia/Kathmandu" }, "2026-02-01", 900); // 1769884200
 * ```
 */
export function timeOn({ timeZone }: Zoned, day: string, secondOfDay: number): number {
  return instantIn(timeZone, Date.parse(day) / 1000 + secondOfDay);
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
 * @param clock the clock of the installation; without it, days are in UTC
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
export function daysField(
  { dayFrom, dayTo }: { readonly dayFrom: string; readonly dayTo: string },
  clock: Zoned = {},
): TimeSpan {
  const begin = (day: string) => BigInt(dayStart(clock, day));
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

/** Returns what clocks of the installation's time zone show, such as 2026-01-31T23:59:59. */
function wallTime({ timeZone }: Zoned, seconds: bigint | number): string {
  const at = Math.floor(Number(seconds));
  return new Date((at + offsetAt(timeZone, at)) * 1000).toISOString().slice(0, 19);
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
