import type { ChargeRow, LateDay } from "./store_charges.ts";
import { type BillingPeriod, monthDays, openRanges, type Range } from "./periods.ts";
import type { PricePeriod } from "./store.ts";

/** A range of days to bill a user for. */
export interface DueRange {
  readonly range: Range;
  /** The bill that an earlier run made. */
  readonly billId: bigint | undefined;
}

/** A range of days before the period for which traffic arrived late. */
export interface LateRange {
  readonly range: Range;
  /** The amounts that bills charged for it. */
  readonly charged: readonly ChargeRow[];
  readonly lateDays: readonly LateDay[];
}

export function rangeKey({ from, to }: Range): string {
  return `${from} ${to}`;
}

export function rangeOf({ dayFrom, dayTo }: ChargeRow): Range {
  return { from: dayFrom, to: dayTo };
}

/**
 * Returns the ranges to bill a user for in a run: those that the same run billed before, and the days that nothing
 * covers.
 *
 * @param charged what was charged to the user
 */
export function dueRanges(
  { pricePeriod, from, to }: BillingPeriod,
  ofUser: PricePeriod,
  charged: readonly ChargeRow[],
): DueRange[] {
  const within = charged.filter(({ dayFrom }) => dayFrom >= from && dayFrom <= to);
  const own = within.filter((row) => row.pricePeriod === pricePeriod);
  const ownKeys = new Set(own.map((row) => rangeKey(rangeOf(row))));
  const inTheWay = charged.map(rangeOf).filter((range) =>
    !ownKeys.has(rangeKey(range)) && range.from <= to && range.to >= from
  );
  if (pricePeriod === "daily" && ofUser !== "daily" && own.length === 0) return [];
  return openRanges({ from, to }, inTheWay).map((range) => ({
    range,
    billId: own.find(({ dayFrom }) => dayFrom === range.from)?.billId,
  }));
}

/**
 * Groups late days by the range that they change: one that was charged, or the days of an earlier month for which
 * nothing was charged. Days that a later run will bill are in no group.
 */
export function lateRanges(
  { from, month }: BillingPeriod,
  charged: readonly ChargeRow[],
  lateDays: readonly LateDay[],
): LateRange[] {
  const before = lateDays.filter(({ day }) => day < from);
  const groups = new Map<string, { range: Range; lateDays: LateDay[] }>();
  for (const late of before) {
    const range = rangeWith(late.day, month, charged);
    if (range === undefined) continue;
    const group = groups.get(rangeKey(range)) ?? { range, lateDays: [] };
    group.lateDays.push(late);
    groups.set(rangeKey(range), group);
  }
  return [...groups].map(([key, group]) => ({
    ...group,
    charged: charged.filter((row) => rangeKey(rangeOf(row)) === key),
  }));
}

function rangeWith(day: string, month: string, charged: readonly ChargeRow[]): Range | undefined {
  const found = charged.find(({ dayFrom, dayTo }) => dayFrom <= day && day <= dayTo);
  if (found !== undefined) return rangeOf(found);
  const days = monthDays(day.slice(0, 7));
  if (days.from.slice(0, 7) >= `${month.slice(0, 4)}-${month.slice(4)}`) return undefined;
  const covered = charged.map(rangeOf).filter(({ from, to }) => from <= days.to && to >= days.from);
  return openRanges(days, covered).find(({ from, to }) => from <= day && day <= to);
}
