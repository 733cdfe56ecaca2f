import { addMonths, choiceField, dayOfMonth, invalid } from "edgehelm";
import type { PlanPeriod, PlanSummary } from "../plan/contract.ts";
import { errors } from "./errors.ts";

const MONTHS: Readonly<Record<PlanPeriod, number>> = { monthly: 1, seasonally: 3, yearly: 12 };
const PERIODS = Object.keys(MONTHS) as PlanPeriod[];
const MAX_COUNT = 120;

/** So many periods of a plan, and what they cost. */
export interface Purchase {
  readonly months: number;
  /** In hundredths of the currency. */
  readonly price: bigint;
  /** For people: `2 monthly`. */
  readonly text: string;
}

/** Checks what is bought of a plan that is paid ahead. */
export function purchaseOf(
  plan: PlanSummary,
  request: { readonly period: string; readonly countPeriod: number },
): Purchase {
  const period = choiceField("period", request.period, PERIODS);
  const { countPeriod } = request;
  if (countPeriod < 1 || countPeriod > MAX_COUNT) {
    throw invalid("countPeriod", `must be 1 to ${MAX_COUNT}, got ${countPeriod}`);
  }
  const price = plan.periodPrices[period];
  const isFree = PERIODS.every((one) => plan.periodPrices[one] === 0n);
  if (price === 0n && !isFree) throw errors.not_sold(plan.name, period);
  return {
    months: MONTHS[period] * countPeriod,
    price: price * BigInt(countPeriod),
    text: `${countPeriod} ${period}`,
  };
}

/** The end of a plan: its last day, and the day of the month that further renewals go by. */
export interface End {
  readonly dayTo: string;
  readonly anchorDay: bigint;
}

/** A plan that ends on a given day. */
export function endOn(dayTo: string): End {
  return { dayTo, anchorDay: BigInt(dayOfMonth(dayTo)) };
}

/** The end so many months later; one that has passed counts from today. */
export function endAfter(end: End, months: number, today: string): End {
  const { dayTo, anchorDay } = end.dayTo < today ? endOn(today) : end;
  return { dayTo: addMonths(dayTo, months, Number(anchorDay)), anchorDay };
}
