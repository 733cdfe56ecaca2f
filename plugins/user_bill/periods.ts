import { addDays, addMonths, type Clock, compactDay, dayField, invalid, today } from "edgehelm";
import type { PricePeriod } from "./store.ts";

/** Days, such as 2026-01-31, both included. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** What a run makes bills of: a day, or a month. */
export interface BillingPeriod extends Range {
  readonly pricePeriod: PricePeriod;
  /** Such as 202601. */
  readonly month: string;
}

/** Checks a month, written 202601 or 2026-01, and answers it as 202601. */
export function monthField(field: string, value: string): string {
  const [, year, month] = /^(\d{4})-?(0[1-9]|1[0-2])$/.exec(value.trim()) ?? [];
  if (year === undefined) throw invalid(field, `must be a month such as 202601, got "${value.slice(0, 60)}"`);
  return `${year}${month}`;
}

export function monthOf(day: string): string {
  return compactDay(day).slice(0, 6);
}

export function monthPeriod(month: string): BillingPeriod {
  const from = `${month.slice(0, 4)}-${month.slice(4)}-01`;
  return { pricePeriod: "monthly", month, from, to: addDays(addMonths(from, 1), -1) };
}

export function dayPeriod(day: string): BillingPeriod {
  return { pricePeriod: "daily", month: monthOf(day), from: day, to: day };
}

/** Checks what is to be billed: a month or a day that is over. */
export function billingPeriod(request: { readonly month: string; readonly day: string }, clock: Clock): BillingPeriod {
  if ((request.month === "") === (request.day === "")) throw invalid("month", "give either a month or a day");
  const now = today(clock);
  if (request.day !== "") {
    const day = dayField("day", request.day);
    if (day >= now) throw invalid("day", `must be over, got ${day}`);
    return dayPeriod(day);
  }
  const month = monthField("month", request.month);
  if (month >= monthOf(now)) throw invalid("month", `must be over, got ${month}`);
  return monthPeriod(month);
}

/** The parts of a range that none of the covered ones touch, in order. */
export function openRanges({ from, to }: Range, covered: readonly Range[]): Range[] {
  const open: Range[] = [];
  let next = from;
  for (const one of covered.toSorted((a, b) => a.from < b.from ? -1 : 1)) {
    if (one.from > next) open.push({ from: next, to: addDays(one.from, -1) });
    if (one.to >= next) next = addDays(one.to, 1);
  }
  return next > to ? open : [...open, { from: next, to }];
}
