/** The middle of the figures; half-way between the two middle ones of an even count. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function rounded(figure: number, digits = 2): number {
  return Number(figure.toFixed(digits));
}

/** The figure below which so great a part of all lies. */
export function quantile(figures: readonly number[], part: number): number {
  const sorted = [...figures].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}
