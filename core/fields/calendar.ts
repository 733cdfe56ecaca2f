import type { Clock } from "../base/clock.ts";
import { invalid } from "../base/errors.ts";

// Days are texts such as 2026-01-31, of UTC: they sort as they follow one another.

const FORM = /^(\d{4})-?(\d{2})-?(\d{2})$/;

/** The day that it is now. */
export function today(clock: Clock): string {
  return dayOf(clock.now());
}

/** Checks a day, written 2026-01-31 or 20260131, and answers it as 2026-01-31. */
export function dayField(field: string, value: string): string {
  const [, year, month, day] = FORM.exec(value.trim()) ?? [];
  const given = `${year}-${month}-${day}`;
  const time = Date.parse(given);
  if (!Number.isNaN(time) && dayOf(time) === given) return given;
  throw invalid(field, `must be a day such as 2026-01-31, got "${value.slice(0, 60)}"`);
}

/** A span of time in unix seconds, the end not included. */
export interface TimeSpan {
  readonly from: bigint;
  readonly to: bigint;
}

/** After everything that happens. */
const NEVER = 2n ** 53n;

/** Checks the days that a list is limited to and answers the time they span, both included; an empty one is no limit. */
export function daysField({ dayFrom, dayTo }: { readonly dayFrom: string; readonly dayTo: string }): TimeSpan {
  const begin = (day: string) => BigInt(Date.parse(day) / 1000);
  const first = dayFrom.trim() === "" ? undefined : dayField("dayFrom", dayFrom);
  const last = dayTo.trim() === "" ? undefined : dayField("dayTo", dayTo);
  return {
    from: first === undefined ? 0n : begin(first),
    to: last === undefined ? NEVER : begin(addDays(last, 1)),
  };
}

/** The day as 20260131. */
export function compactDay(day: string): string {
  return day.replaceAll("-", "");
}

/** The day of the month, 1 to 31. */
export function dayOfMonth(day: string): number {
  return Number(day.slice(8));
}

/** The day that many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * 86_400_000);
}

/**
 * The day that many calendar months later. Where the month is too short it is that month's last day.
 *
 * @param anchor the day of the month to be at, so that a series that began on the 31st comes back to it
 */
export function addMonths(day: string, months: number, anchor: number = dayOfMonth(day)): string {
  const [year, month] = day.split("-").map(Number) as [number, number];
  // the day 0 of a month is the last one of the month before
  const lastDay = new Date(Date.UTC(year, month + months, 0));
  return dayOf(lastDay.setUTCDate(Math.min(anchor, lastDay.getUTCDate())));
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
