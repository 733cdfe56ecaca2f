import { choiceField, invalid } from "edgehelm";
import { addMonths, dayOfMonth } from "edgehelm/fields";
import type { PlanPeriod, PlanSummary } from "../plan/contract.ts";
import { errors } from "./errors.ts";

const MONTHS: Readonly<Record<PlanPeriod, number>> = { monthly: 1, seasonally: 3, yearly: 12 };
export const PERIODS = Object.keys(MONTHS) as PlanPeriod[];
const MAX_COUNT = 1200;
/** Later days do not have the form YYYY-MM-DD. */
const LAST_DAY = "9999-12-31";

/** A number of periods of a plan and their price. */
export interface Purchase {
  readonly months: number;
  /** In hundredths of the currency unit. */
  readonly price: bigint;
  /** A human-readable description, such as `2 monthly`. */
  readonly text: string;
}

/** Validates the purchase of a prepaid plan. A purchase of 0 periods, which clients send for none, is one of 1. */
export function purchaseOf(
  plan: PlanSummary,
  request: { readonly period: string; readonly countPeriod: number },
): Purchase {
  const period = choiceField("period", request.period, PERIODS);
  if (request.countPeriod < 0 || request.countPeriod > MAX_COUNT) {
    throw invalid("countPeriod", `must be 0 to ${MAX_COUNT}, got ${request.countPeriod}`);
  }
  const countPeriod = request.countPeriod || 1;
  const price = plan.periodPrices[period];
  const isFree = PERIODS.every((candidate) => plan.periodPrices[candidate] === 0n);
  if (price === 0n && !isFree) throw errors.not_sold(plan.name, period);
  return {
    months: MONTHS[period] * countPeriod,
    price: price * BigInt(countPeriod),
    text: `${countPeriod} ${period}`,
  };
}

/** The end of a plan: its last day, and the day of the month on which renewals end. */
export interface End {
  readonly dayTo: string;
  readonly anchorDay: bigint;
}

/** Returns the end of a plan that ends on the day. */
export function endOn(dayTo: string): End {
  return { dayTo, anchorDay: BigInt(dayOfMonth(dayTo)) };
}

/** Returns the end after a number of months, counted from today if the plan has expired. */
export function endAfter(end: End, months: number, today: string): End {
  const { dayTo, anchorDay } = end.dayTo < today ? endOn(today) : end;
  const last = addMonths(dayTo, months, Number(anchorDay));
  if (!(last.length === LAST_DAY.length && last <= LAST_DAY)) {
    throw invalid("countPeriod", `must end by ${LAST_DAY}, but ${months} months after ${dayTo} are later`);
  }
  return { dayTo: last, anchorDay };
}
