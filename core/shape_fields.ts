import { invalid } from "./errors.ts";
import { wordField } from "./fields.ts";

const SIZE_UNITS = ["byte", "kb", "mb", "gb", "tb", "pb", "eb"] as const;
const DURATION_UNITS = ["ms", "second", "minute", "hour", "day", "week"] as const;
const MOST_BYTES = 2n ** 63n - 1n;
const MOST_COUNT = 2n ** 31n - 1n;

interface Amount {
  readonly count: bigint;
  readonly unit: string;
}

/** Checks an amount of storage in a JSON field: a known unit, and a count of -1 (no limit) or more that fits 63 bits. */
export function sizeField(path: string, { count, unit }: Amount): void {
  if (count === 0n && unit === "") return;
  const power = SIZE_UNITS.indexOf(wordField(`${path}.unit`, unit, SIZE_UNITS));
  const most = MOST_BYTES >> BigInt(10 * power);
  if (count < -1n || count > most) throw invalid(`${path}.count`, `must be -1 to ${most}, got ${count}`);
}

/** Checks a length of time in a JSON field: a known unit, and a count from 0. */
export function durationField(path: string, { count, unit }: Amount): void {
  if (count === 0n && unit === "") return;
  wordField(`${path}.unit`, unit, DURATION_UNITS);
  if (count < 0n || count > MOST_COUNT) throw invalid(`${path}.count`, `must be 0 to ${MOST_COUNT}, got ${count}`);
}
