import { RATE_UNITS_PER_AMOUNT_UNIT } from "edgehelm/fields";
import type { BandwidthPrice, BandwidthStep } from "../plan/contract.ts";
import { roundedQuotient } from "../user_account/contract.ts";

// Prices are integers in millionths, quantities are integers in bytes. Costs per GB, gigabit or MB would be fractions,
// so costs are integers scaled by a common multiple and rounded only once, when a bill is generated.

const GB = 2n ** 30n;
const GIGABIT = 10n ** 9n;
const MB = 2n ** 20n;
const BITS = 8n;

/** The number of cost units per millionth of the currency unit: a multiple of GB, GIGABIT and MB. */
const SCALE = 2n ** 30n * 5n ** 9n;
/** Bandwidth thresholds are in millionths of a MB. */
const MB_UNITS = 10n ** 6n;

/** Returns the cost of traffic at a price per GB. */
export function trafficCost(bytes: bigint, pricePerGB: bigint): bigint {
  return bytes * pricePerGB * (SCALE / GB);
}

/** Returns the cost of traffic at a price per gigabit, which regions use. */
export function regionCost(bytes: bigint, pricePerGigabit: bigint): bigint {
  return bytes * BITS * pricePerGigabit * (SCALE / GIGABIT);
}

/** Returns the cost of bandwidth at the price of the first step that contains it. */
export function bandwidthCost(bytesPerSecond: bigint, { steps }: BandwidthPrice): bigint {
  const step = steps.find((candidate) => contains(candidate, bytesPerSecond));
  if (step === undefined) return 0n;
  if (step.totalPrice > 0n) return step.totalPrice * SCALE;
  return bytesPerSecond * step.pricePerMB * (SCALE / MB);
}

function contains({ min, max }: BandwidthStep, bytesPerSecond: bigint): boolean {
  const units = bytesPerSecond * MB_UNITS;
  return units >= min * MB && (max === 0n || units < max * MB);
}

/** Returns the number of bits, which determines the tier of region prices. */
export function bitsOf(bytes: bigint): bigint {
  return bytes * BITS;
}

/** Converts a cost to an amount in hundredths of the currency unit, rounded half up. */
export function roundCost(cost: bigint): bigint {
  return roundedQuotient(cost, SCALE * RATE_UNITS_PER_AMOUNT_UNIT);
}
