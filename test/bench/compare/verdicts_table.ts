import { formatNumber } from "../report/statistics.ts";
import { table } from "../report/table.ts";
import type { Verdict } from "./verdict.ts";

const HEAD = ["figure", "unit", "before", "after", "ratio", "interval", "others", "verdict"];

/** One line for each figure: both medians, their ratio with its confidence interval, and the verdict. */
export function verdictsTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ figure, before, after, ratio, low, high, othersLoad, verdict }) => [
    figure.name,
    figure.unit,
    formatNumber(before),
    formatNumber(after),
    ratio.toFixed(3),
    `${low.toFixed(3)} to ${high.toFixed(3)}`,
    `${(othersLoad * 100).toFixed(0)} %`,
    verdict,
  ]);
  return table([HEAD, ...rows]);
}
