/** The middle of the figures; half-way between the two middle ones of an even count. */
export function median(figures: readonly number[]): number {
  const sorted = ascending(figures);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The figure below which this share of all lies. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = ascending(figures);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

/** Three significant digits, and whole numbers from 1000 on. */
export function formatNumber(figure: number): string {
  if (Math.abs(figure) >= 1000) return Math.round(figure).toLocaleString("en-US");
  return String(Number(figure.toPrecision(3)));
}

function ascending(figures: readonly number[]): number[] {
  return [...figures].sort((one, other) => one - other);
}
