import { choiceField, invalid } from "edgehelm";
import { rateField } from "edgehelm/fields";
import type { BandwidthPrice } from "../plan/contract.ts";
import type { UserBillConfig } from "./proto/config_pb.ts";
import type { PricePeriod } from "./store.ts";

const DEFAULT_PERCENTILE = 95;
const DEFAULT_OVERDUE_DAYS = 30;
const DEFAULT_REMINDER_DAYS = 3;
const DEFAULT_GRACE_DAYS = 2;
const MAX_GRACE_DAYS = 60;

/** The pricing of the installation for sites without a plan. */
export interface Tariff {
  readonly priceType: "traffic" | "bandwidth";
  readonly pricePeriod: PricePeriod;
  /** The price per GB in millionths of the currency unit; 0 if the prices of regions apply. */
  readonly pricePerGB: bigint;
  readonly bandwidth: BandwidthPrice;
  readonly overdueSeconds: bigint;
  /** The time before a bill is overdue from which it is due soon; 0 for no reminder. */
  readonly reminderSeconds: bigint;
  /** The number of days after the end of a period for which automatic bills wait for late traffic. */
  readonly graceDays: number;
}

/** Returns the tariff of a configuration. Refuses an invalid configuration. */
export function tariffOf(config: UserBillConfig): Tariff {
  const percentile = config.bandwidthPercentile || DEFAULT_PERCENTILE;
  if (percentile < 1 || percentile > 100) throw invalid("bandwidthPercentile", `must be 1 to 100, got ${percentile}`);
  if (config.overdueDays < 0) throw invalid("overdueDays", `must not be negative, got ${config.overdueDays}`);
  const overdueDays = config.overdueDays || DEFAULT_OVERDUE_DAYS;
  const reminderDays = config.reminderDays ?? Math.min(DEFAULT_REMINDER_DAYS, overdueDays - 1);
  if (reminderDays < 0 || reminderDays >= overdueDays) {
    throw invalid("reminderDays", `must be 0 or more and less than overdueDays (${overdueDays}), got ${reminderDays}`);
  }
  const graceDays = config.graceDays ?? DEFAULT_GRACE_DAYS;
  if (graceDays < 0 || graceDays > MAX_GRACE_DAYS) {
    throw invalid("graceDays", `must be 0 to ${MAX_GRACE_DAYS}, got ${graceDays}`);
  }
  const pricePerMB = rateField("bandwidthPricePerMB", config.bandwidthPricePerMB);
  return {
    priceType: choiceField("priceType", config.priceType || "traffic", ["traffic", "bandwidth"]),
    pricePeriod: choiceField("pricePeriod", config.pricePeriod || "monthly", ["daily", "monthly"]),
    pricePerGB: rateField("trafficPricePerGB", config.trafficPricePerGB),
    bandwidth: { percentile, steps: [{ min: 0n, max: 0n, pricePerMB, totalPrice: 0n }] },
    graceDays,
    overdueSeconds: BigInt(overdueDays) * 86_400n,
    reminderSeconds: BigInt(reminderDays) * 86_400n,
  };
}
