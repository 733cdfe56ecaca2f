import { invalid } from "../base/errors.ts";
import type { SqlValue } from "./engine.ts";

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/**
 * Converts values for a driver: safe integers become bigints, since drivers bind every number as REAL. Unsupported
 * values are refused here, since some drivers abort the process on them.
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
      if (value > MAX_INTEGER || value < MIN_INTEGER) {
        throw parameterError(index, `the bigint ${value}, which exceeds int64`);
      }
      return value;
    case "number":
      if (Number.isSafeInteger(value)) return BigInt(value);
      if (!Number.isFinite(value)) throw parameterError(index, `${value}`);
      return value;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      throw parameterError(index, describe(value));
  }
}

/**
 * Returns text as it is stored. Text with NUL is refused, because SQLite stores it but truncates it when reading. Lone
 * surrogates are replaced by U+FFFD: they cannot be encoded as UTF-8, so that drivers abort the process when they read
 * them, and servers refuse them.
 */
export function storedText(text: string): string {
  if (text.includes("\0")) throw invalid("text", "must not contain a NUL character");
  return text.toWellFormed();
}

function describe(value: unknown): string {
  if (typeof value !== "object" || value === null) return `the ${typeof value} ${String(value)}`;
  return `an object of ${value.constructor?.name ?? "no class"}`;
}

function parameterError(index: number, description: string): TypeError {
  return new TypeError(
    `parameter ${index + 1} is ${description}: must be a bigint, finite number, string, Uint8Array or null`,
  );
}
