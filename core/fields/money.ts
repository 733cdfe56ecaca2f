import { invalid } from "../base/errors.ts";

// Money is an integer number of minor units everywhere but on the wire, where it is a binary floating point number.

/** Amounts, which are paid, are in hundredths of the installation's currency. */
const AMOUNT_DECIMALS = 2;
/** Rates, which are multiplied by a quantity first, are in millionths. */
const RATE_DECIMALS = 6;

/** The number of rate units (millionths) in an amount unit (a hundredth): 10000. */
export const RATE_UNITS_PER_AMOUNT_UNIT: bigint = 10n ** BigInt(RATE_DECIMALS - AMOUNT_DECIMALS);

/** A double can represent every decimal of 15 digits unambiguously. */
const MAX_UNITS = 10n ** 15n;
/** From this value on, a float cannot represent every hundredth. */
const FLOAT_FRACTIONS_END = 2 ** 17;

/** The kind of field that carries money. */
export interface MoneyOptions {
  /** True if the field is a `float`, which stands for the shortest decimal that rounds to it. False by default. */
  readonly float?: boolean;
  /** True if negative values are allowed. False by default. */
  readonly signed?: boolean;
}

/**
 * Checks an amount of money.
 *
 * @param value at most two decimals
 * @returns the exact amount in hundredths
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { amountField } from "edgehelm/fields";
 *
 * const price = amountField("price", 9.99); // 999n
 * ```
 */
export function amountField(field: string, value: number, options: MoneyOptions = {}): bigint {
  return minorUnits(field, value, AMOUNT_DECIMALS, options);
}

/**
 * Checks a unit price.
 *
 * @param value at most six decimals
 * @returns the exact price in millionths
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { rateField } from "edgehelm/fields";
 *
 * const pricePerGB = rateField("pricePerGB", 0.08); // 80_000n
 * ```
 */
export function rateField(field: string, value: number, options: MoneyOptions = {}): bigint {
  return minorUnits(field, value, RATE_DECIMALS, options);
}

/**
 * Converts an amount in hundredths to the number that messages carry.
 *
 * @example
 * ```ts
 * import { amountNumber } from "edgehelm/fields";
 *
 * amountNumber(999n); // 9.99
 * ```
 */
export function amountNumber(amount: bigint): number {
  return Number(decimalText(amount, AMOUNT_DECIMALS));
}

/**
 * Converts a rate in millionths to the number that messages carry.
 *
 * @example
 * ```ts
 * import { rateNumber } from "edgehelm/fields";
 *
 * rateNumber(80_000n); // 0.08
 * ```
 */
export function rateNumber(rate: bigint): number {
  return Number(decimalText(rate, RATE_DECIMALS));
}

/**
 * Formats an amount in hundredths for people, without a currency.
 *
 * @example
 * ```ts
 * import { amountText } from "edgehelm/fields";
 *
 * amountText(-1250n); // "-12.50"
 * ```
 */
export function amountText(amount: bigint): string {
  return decimalText(amount, AMOUNT_DECIMALS);
}

function minorUnits(field: string, value: number, decimals: number, { float, signed }: MoneyOptions): bigint {
  if (!Number.isFinite(value)) throw invalid(field, `must be a number, got ${value}`);
  if (value < 0 && signed !== true) throw invalid(field, `must not be negative, got ${value}`);
  const text = float === true ? shortestFloat(field, value) : String(value);
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plainDecimal(text)) ?? [];
  if (whole === undefined || fraction.length > decimals) {
    throw invalid(field, `must have at most ${decimals} decimals, got ${text}`);
  }
  const units = BigInt(whole + fraction.padEnd(decimals, "0"));
  if (units >= MAX_UNITS) throw invalid(field, `must be below ${MAX_UNITS / 10n ** BigInt(decimals)}, got ${text}`);
  return sign === "-" ? -units : units;
}

/** Returns the shortest decimal that rounds to this float. A double that is not a float is returned as it is. */
function shortestFloat(field: string, value: number): string {
  if (Math.fround(value) !== value || Number.isInteger(value)) return String(value);
  if (Math.abs(value) >= FLOAT_FRACTIONS_END) {
    throw invalid(field, `must be whole from ${FLOAT_FRACTIONS_END} on, where a float has no cents, got ${value}`);
  }
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}

/** Expands the exponent with which JavaScript prints small numbers, such as 1e-7. */
function plainDecimal(text: string): string {
  return text.includes("e-") ? Number(text).toFixed(20).replace(/(?<!0)0+$/, "") : text;
}

function decimalText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
