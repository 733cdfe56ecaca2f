import { RATE_UNITS_PER_AMOUNT_UNIT } from "edgehelm";
import type { BandwidthPrice, BandwidthStep } from "../plan/contract.ts";

// Prices are integers of millionths, quantities integers of bytes. What is charged for a GB, a gigabit or a MB is a
// fraction, so costs are counted in parts that make all of these whole, and rounded once: when a bill is made.

const GB = 2n ** 30n;
const GIGABIT = 10n ** 9n;
const MB = 2n ** 20n;
const BITS = 8n;

/** Parts of a millionth of the currency: a multiple of GB, GIGABIT and MB. */
const PARTS = 2n ** 30n * 5n ** 9n;
/** Thresholds of bandwidth are in millionths of a MB. */
const MB_UNITS = 10n ** 6n;

/** Traffic at a price for a GB. */
export function trafficCost(bytes: bigint, pricePerGB: bigint): bigint {
  return bytes * pricePerGB * (PARTS / GB);
}

/** Traffic at a price for a gigabit, as regions charge it. */
export function regionCost(bytes: bigint, pricePerGigabit: bigint): bigint {
  return bytes * BITS * pricePerGigabit * (PARTS / GIGABIT);
}

/** Bandwidth, in bytes a second, at the price of the first step that holds it. */
export function bandwidthCost(bytesPerSecond: bigint, { steps }: BandwidthPrice): bigint {
  const step = steps.find((one) => holds(one, bytesPerSecond));
  if (step === undefined) return 0n;
  if (step.totalPrice > 0n) return step.totalPrice * PARTS;
  return bytesPerSecond * step.pricePerMB * (PARTS / MB);
}

function holds({ min, max }: BandwidthStep, bytesPerSecond: bigint): boolean {
  const units = bytesPerSecond * MB_UNITS;
  return units >= min * MB && (max === 0n || units < max * MB);
}

/** Bits of traffic, which decide the step of a region's prices. */
export function bitsOf(bytes: bigint): bigint {
  return bytes * BITS;
}

/** A cost as an amount, in hundredths of the currency; a half rounds up. */
export function roundCost(cost: bigint): bigint {
  const unit = PARTS * RATE_UNITS_PER_AMOUNT_UNIT;
  return (cost + unit / 2n) / unit;
}
