import { invalid } from "../base/errors.ts";

const MAX_INT32 = 2 ** 31 - 1;

/** Checks a whole number against its limits; with `orZero` 0 is allowed too, for the default. */
export function numberField(
  field: string,
  value: number,
  { min = 0, max = MAX_INT32, orZero = false }: {
    readonly min?: number;
    readonly max?: number;
    readonly orZero?: boolean;
  } = {},
): number {
  if ((value >= min && value <= max) || (orZero && value === 0)) return value;
  throw invalid(field, `must be ${orZero ? "0 or " : ""}${min} to ${max}, got ${value}`);
}

/** Checks a port. */
export function portField(
  field: string,
  value: number,
  { orZero = false }: { readonly orZero?: boolean } = {},
): number {
  return numberField(field, value, { min: 1, max: 65535, orZero });
}

/** Checks an id that may be 0 for none, or for all. */
export function idOrNoneField(field: string, value: bigint): bigint {
  if (value < 0n) throw invalid(field, `must not be negative, got ${value}`);
  return value;
}
