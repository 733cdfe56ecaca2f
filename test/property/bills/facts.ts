import type { NodePriceTier } from "../../../plugins/node_price_item/contract.ts";
import type { BandwidthStep } from "../../../plugins/plan/contract.ts";

/** Traffic that a node served. */
export interface Served {
  /** Unix seconds. */
  readonly at: number;
  readonly userId: bigint;
  readonly serverId: bigint;
  readonly regionId: bigint;
  readonly bytes: bigint;
}

/** The prices of a plan or of the installation. */
export type Prices =
  | { readonly kind: "prepaid" }
  | { readonly kind: "traffic"; readonly perGB: bigint }
  | { readonly kind: "bandwidth"; readonly percentile: number; readonly steps: readonly BandwidthStep[] }
  | {
    readonly kind: "regions";
    readonly tiers: readonly NodePriceTier[];
    readonly perGigabit: ReadonlyMap<string, bigint>;
  };

/** The settings of an operator at some moment. */
export interface Facts {
  readonly timeZone: string;
  readonly graceDays: number;
  /** The price of traffic without a plan; 0 means that of regions. */
  readonly perGB: bigint;
  readonly perMB: bigint;
  readonly percentile: number;
  readonly users: Map<bigint, { priceType: "" | "traffic" | "bandwidth"; pricePeriod: "" | "daily" | "monthly" }>;
  /** The owners of servers. */
  readonly owners: Map<bigint, bigint>;
  /** The plans of servers, with their last day, such as 2026-01-31. */
  readonly plans: Map<bigint, { prices: Prices; dayTo: string }>;
  tiers: NodePriceTier[];
  /** By region and tier, such as `1 2`. */
  perGigabit: Map<string, bigint>;
}
