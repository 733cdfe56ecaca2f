import { type Clock, invalid } from "edgehelm";
import { addDays, addMonths, compactDay, dayField, today } from "edgehelm/fields";
import type { PricePeriod } from "./store.ts";

/** A range of days such as 2026-01-31, including both ends. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** The period of a billing run: a day or a month. */
export interface BillingPeriod extends Range {
  readonly pricePeriod: PricePeriod;
  /** Such as 202601. */
  readonly month: string;
}

/** Validates a month such as 202601 or 2026-01 and returns it as 202601. */
export function monthField(field: string, value: string): string {
  const [, year, month] = /^(\d{4})-?(0[1-9]|1[0-2])$/.exec(value.trim()) ?? [];
  if (year === undefined) throw invalid(field, `must be a month such as 202601, got "${value.slice(0, 60)}"`);
  return `${year}${month}`;
}

export function monthOf(day: string): string {
  return compactDay(day).slice(0, 6);
}

export function monthPeriod(month: string): BillingPeriod {
  return { pricePeriod: "monthly", month, ...monthDays(`${month.slice(0, 4)}-${month.slice(4)}`) };
}

/** Returns the days of a month such as 2026-01. */
export function monthDays(month: string): Range {
  const from = `${month}-01`;
  return { from, to: addDays(addMonths(from, 1), -1) };
}

export function dayPeriod(day: string): BillingPeriod {
  return { pricePeriod: "daily", month: monthOf(day), from: day, to: day };
}

/** Validates the period of a request: a month or a day that has ended. */
export function billingPeriod(request: { readonly month: string; readonly day: string }, clock: Clock): BillingPeriod {
  if ((request.month === "") === (request.day === "")) throw invalid("month", "either a month or a day is required");
  const now = today(clock);
  if (request.day !== "") {
    const day = dayField("day", request.day);
    if (day >= now) throw invalid("day", `must have ended, got ${day}`);
    return dayPeriod(day);
  }
  const month = monthField("month", request.month);
  if (month >= monthOf(now)) throw invalid("month", `must have ended, got ${month}`);
  return monthPeriod(month);
}

/** Returns the parts of a range that no covered range overlaps, in order. */
export function openRanges({ from, to }: Range, covered: readonly Range[]): Range[] {
  const open: Range[] = [];
  let next = from;
  for (const range of covered.toSorted((a, b) => a.from < b.from ? -1 : 1)) {
    if (range.from > next) open.push({ from: next, to: addDays(range.from, -1) });
    if (range.to >= next) next = addDays(range.to, 1);
  }
  return next > to ? open : [...open, { from: next, to }];
}
