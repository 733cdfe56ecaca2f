import { invalid } from "../base/errors.ts";

// Money is an integer of minor units from the moment it is read until it is shown; binary floats exist on the wire only.

/** Amounts, which change hands, are in hundredths of the installation's currency. */
const AMOUNT_DECIMALS = 2;
/** Rates, which are multiplied by a quantity first, are in millionths. */
const RATE_DECIMALS = 6;

/** Millionths in a hundredth. */
export const RATE_UNITS_PER_AMOUNT_UNIT: bigint = 10n ** BigInt(RATE_DECIMALS - AMOUNT_DECIMALS);

/** A double tells all decimals of so many digits apart. */
const MAX_UNITS = 10n ** 15n;
/** From here on a float does not tell all hundredths apart. */
const FLOAT_FRACTIONS_END = 2 ** 17;

export interface MoneyOptions {
  /** Whether the field is a `float`: over gRPC it then carries the nearest of few decimals. */
  readonly float?: boolean;
  /** Whether it may be below zero. */
  readonly signed?: boolean;
}

/** Checks an amount of money and answers it exactly, in hundredths; more than two decimals are refused. */
export function amountField(field: string, value: number, options: MoneyOptions = {}): bigint {
  return minorUnits(field, value, AMOUNT_DECIMALS, options);
}

/** Checks a price for a unit of something and answers it exactly, in millionths; more than six decimals are refused. */
export function rateField(field: string, value: number, options: MoneyOptions = {}): bigint {
  return minorUnits(field, value, RATE_DECIMALS, options);
}

/** An amount as messages carry it. */
export function amountNumber(amount: bigint): number {
  return Number(decimalText(amount, AMOUNT_DECIMALS));
}

/** A rate as messages carry it. */
export function rateNumber(rate: bigint): number {
  return Number(decimalText(rate, RATE_DECIMALS));
}

/** An amount for people: `-12.50`. */
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

/** The shortest decimal that a float of this value stands for; a double that no float equals stands for itself. */
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

/** Small numbers print as `1e-7`. */
function plainDecimal(text: string): string {
  return text.includes("e-") ? Number(text).toFixed(20).replace(/0+$/, "") : text;
}

function decimalText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
