import { type Call, type Clock, unixSeconds } from "edgehelm";
import { addDays, compactDay, today } from "edgehelm/fields";
import type { AdminDashboardFigures } from "../admin/contract.ts";
import { dayNumber, dayOfNumber, HALF_HOUR, hourText, lastPeriods, slotStart } from "./days.ts";
import type { StatStore, TotalRow } from "./store.ts";

const DAYS = 15;
const HOURS = 24;

type Figures = Omit<TotalRow, "day" | "slot">;

const NONE: Figures = {
  bytes: 0n,
  cachedBytes: 0n,
  countRequests: 0n,
  countCachedRequests: 0n,
  countAttackRequests: 0n,
  attackBytes: 0n,
};

/** Provides the traffic of all sites for the dashboard of admins: of the last days, and of the last hours. */
export function trafficFigures(stats: StatStore, clock: Clock): AdminDashboardFigures {
  return {
    async figures(call: Call) {
      const last = today(clock);
      const days = Array.from({ length: DAYS }, (_, index) => compactDay(addDays(last, index + 1 - DAYS)));
      const now = Number(unixSeconds(clock));
      const { texts: hours } = lastPeriods(now, HALF_HOUR, HOURS, (seconds) => hourText(clock, seconds));
      const span = { dayFrom: BigInt(days[0]!), dayTo: dayNumber(last) };
      const rows = await stats.totals.all(call, span);
      const hourOf = ({ day, slot }: TotalRow) =>
        hourText(clock, slotStart(clock, { day: dayOfNumber(day), slot: Number(slot) }));
      return {
        dailyTrafficStats: sums(days, rows, ({ day }) => `${day}`).map(([day, figures]) => ({ day, ...figures })),
        hourlyTrafficStats: sums(hours, rows, hourOf).map(([hour, figures]) => ({ hour, ...figures })),
      };
    },
  };
}

/** Returns the sum of the rows of each period, in the order of the periods. */
function sums(
  periods: readonly string[],
  rows: readonly TotalRow[],
  periodOf: (row: TotalRow) => string,
): readonly (readonly [string, Figures])[] {
  const found = new Map<string, Record<keyof Figures, bigint>>(periods.map((period) => [period, { ...NONE }]));
  for (const row of rows) {
    const sum = found.get(periodOf(row));
    if (sum === undefined) continue;
    for (const name of Object.keys(NONE) as (keyof Figures)[]) sum[name] += row[name];
  }
  return [...found];
}
