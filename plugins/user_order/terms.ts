import { invalid } from "edgehelm";
import { amountField } from "edgehelm/fields";
import type { UserOrderConfig } from "./proto/config_pb.ts";

const DEFAULT_MINUTES = 1440;
const MAX_MINUTES = 525_600;
const DEFAULT_MAX = 1_000_000n;
/** Messages carry amounts of orders as floats, which represent every hundredth up to this amount. */
const FLOAT_MAX = 10_000_000n;

/** The terms of the installation for orders. */
export interface OrderTerms {
  readonly currency: string;
  readonly expireSeconds: bigint;
  /** In hundredths of the currency unit. */
  readonly maxAmount: bigint;
}

/** Returns the terms of a configuration. Refuses an invalid configuration. */
export function termsOf({ currency, expireMinutes, maxAmount }: UserOrderConfig): OrderTerms {
  if (currency !== "" && !/^[A-Z]{3}$/.test(currency)) {
    throw invalid("currency", `must be three capital letters such as EUR, got "${currency.slice(0, 20)}"`);
  }
  if (expireMinutes < 0 || expireMinutes > MAX_MINUTES) {
    throw invalid("expireMinutes", `must be 0 to ${MAX_MINUTES}, got ${expireMinutes}`);
  }
  const max = amountField("maxAmount", maxAmount) || DEFAULT_MAX;
  if (max > FLOAT_MAX) throw invalid("maxAmount", `must be at most 100000, got ${maxAmount}`);
  return {
    currency: currency || "USD",
    expireSeconds: BigInt(expireMinutes || DEFAULT_MINUTES) * 60n,
    maxAmount: max,
  };
}
