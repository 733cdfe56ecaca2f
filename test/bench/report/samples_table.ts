import type { Samples } from "./figure.ts";
import { formatNumber, mean, median } from "./statistics.ts";
import { table } from "./table.ts";

const HEAD = ["figure", "unit", "median", "least", "greatest", "runs", "others"];

/** One line for each figure: median and spread of its runs, and the load of other processes during them. */
export function samplesTable(all: readonly Samples[]): string {
  const rows = all.map(({ figure, values, othersLoad }) => [
    figure.name,
    figure.unit,
    formatNumber(median(values)),
    formatNumber(Math.min(...values)),
    formatNumber(Math.max(...values)),
    String(values.length),
    `${(mean(othersLoad) * 100).toFixed(0)} %`,
  ]);
  return table([HEAD, ...rows]);
}
