import { invalid } from "../base/errors.ts";
import type { SqlValue } from "./engine.ts";

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/**
 * The values as a driver may bind them: drivers bind every number as REAL, and some abort the process on what they do
 * not know. Safe integers become bigints.
 */
export function bindable(parameters: readonly SqlValue[]): SqlValue[] {
  const values: SqlValue[] = [];
  for (let index = 0; index < parameters.length; index++) values.push(bindableValue(parameters[index], index));
  return values;
}

function bindableValue(value: SqlValue | undefined, index: number): SqlValue {
  switch (typeof value) {
    case "string":
      return storedText(value);
    case "bigint":
      if (value > MAX_INTEGER || value < MIN_INTEGER) throw refusal(index, `the bigint ${value}, which exceeds int64`);
      return value;
    case "number":
      if (Number.isSafeInteger(value)) return BigInt(value);
      if (!Number.isFinite(value)) throw refusal(index, `${value}`);
      return value;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      throw refusal(index, describe(value));
  }
}

/**
 * Text as it is kept. SQLite keeps text with a NUL whole and gives it back cut. Half of a letter, which cutting a text
 * leaves, is not UTF-8: drivers abort the process when they read it, and servers refuse it; U+FFFD takes its place.
 */
export function storedText(text: string): string {
  if (text.includes("\0")) throw invalid("text", "must not contain a NUL character");
  return text.toWellFormed();
}

function describe(value: unknown): string {
  if (typeof value !== "object" || value === null) return `the ${typeof value} ${String(value)}`;
  return `an object of ${value.constructor?.name ?? "no class"}`;
}

function refusal(index: number, what: string): TypeError {
  return new TypeError(
    `parameter ${index + 1} is ${what}: allowed are bigint, finite number, string, Uint8Array and null`,
  );
}
