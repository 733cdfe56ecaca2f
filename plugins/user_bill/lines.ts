import { amountText } from "edgehelm/fields";
import type { Charge } from "./charges.ts";
import type { Range } from "./periods.ts";
import type { Terms } from "./pricing.ts";

/** The number of corrections that a description lists. */
const MAX_LISTED = 12;

/** The amount that a bill charges for a range of days. */
export interface Line {
  readonly range: Range;
  /** In hundredths of the currency unit; negative for a credit. */
  readonly amount: bigint;
  /** The terms, as they are stored if an earlier run charged the line. */
  readonly terms: Terms | string;
}

/** The lines of a bill. */
export interface BillLines {
  /** That of the days of the bill. */
  readonly own: Line;
  /** Those of earlier days. */
  readonly corrections: readonly Line[];
}

export function totalOf({ own, corrections }: BillLines): bigint {
  return corrections.reduce((total, { amount }) => total + amount, own.amount);
}

/**
 * Reduces credits, the last first, until the bill is not negative. What remains of them is a credit on a later bill,
 * because what was charged still exceeds what is owed.
 *
 * @returns the lines, and the ranges of which a credit remains
 */
export function withoutDebt(lines: BillLines): { readonly lines: BillLines; readonly remaining: readonly Range[] } {
  let missing = -totalOf(lines);
  if (missing <= 0n) return { lines, remaining: [] };
  const remaining: Range[] = [];
  const reduced = (line: Line): Line => {
    const back = line.amount < 0n ? min(missing, -line.amount) : 0n;
    if (back === 0n) return line;
    missing -= back;
    remaining.push(line.range);
    return { ...line, amount: line.amount + back };
  };
  const corrections = lines.corrections.toReversed().map(reduced).reverse();
  // a line that an earlier run stored is stored again
  const kept = corrections.filter(({ amount, terms }) => amount !== 0n || typeof terms === "string");
  return { lines: { own: reduced(lines.own), corrections: kept }, remaining };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Returns a description such as `12.34 GB of 2 sites; correction of 2026-01-01 to 2026-01-31: +0.20`. */
export function describe({ corrections }: BillLines, { bytes, servers }: Charge): string {
  const gigabytes = amountText(bytes * 100n / 2n ** 30n);
  const charged = corrections.filter(({ amount }) => amount !== 0n);
  const listed = charged.slice(0, MAX_LISTED).map(({ range: { from, to }, amount }) => {
    const days = from === to ? from : `${from} to ${to}`;
    return `correction of ${days}: ${signed(amount)}`;
  });
  const more = charged.slice(MAX_LISTED);
  const sum = more.reduce((total, { amount }) => total + amount, 0n);
  return [
    `${gigabytes} GB of ${servers} ${servers === 1 ? "site" : "sites"}`,
    ...listed,
    ...more.length === 0 ? [] : [`${more.length} more corrections: ${signed(sum)}`],
  ].join("; ");
}

function signed(amount: bigint): string {
  return `${amount > 0n ? "+" : ""}${amountText(amount)}`;
}

/** Returns one line for each range, in the order of days, with the terms of the last one. */
export function sumByRange(lines: readonly Line[]): Line[] {
  const sums = new Map<string, Line>();
  for (const line of lines) {
    const key = `${line.range.from} ${line.range.to}`;
    sums.set(key, { ...line, amount: line.amount + (sums.get(key)?.amount ?? 0n) });
  }
  return [...sums].sort(([a], [b]) => a < b ? -1 : 1).map(([, line]) => line);
}
