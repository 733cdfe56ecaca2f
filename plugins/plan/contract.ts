import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** By what a plan is paid: ahead for a period, or afterwards for traffic or bandwidth. */
export type PlanPriceType = "period" | "traffic" | "bandwidth";

/** The lengths that a plan is sold in. */
export type PlanPeriod = "monthly" | "seasonally" | "yearly";

/** A plan as it stands beside other things. */
export interface PlanSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** Where its sites are served; 0 where it does not say. */
  readonly clusterId: bigint;
  readonly priceType: PlanPriceType;
  /** How many sites it pays for; 0 has no limit. */
  readonly totalServers: number;
  /** In hundredths of the currency. A period without a price is not sold, unless none has one. */
  readonly periodPrices: Readonly<Record<PlanPeriod, bigint>>;
}

/** A step of bandwidth that has a price of its own. */
export interface BandwidthStep {
  /** From so many millionths of a MB (1024^2 bytes a second) on. */
  readonly min: bigint;
  /** Up to, but not including, so many millionths of a MB; 0 has no end. */
  readonly max: bigint;
  /** For a MB, in millionths of the currency; not used when there is a total price. */
  readonly pricePerMB: bigint;
  /** For all of it, in millionths of the currency; 0 when each MB is charged. */
  readonly totalPrice: bigint;
}

/** What bandwidth costs: that under which `percentile` percent of all five-minute samples stay. */
export interface BandwidthPrice {
  readonly percentile: number;
  /** The first that holds the bandwidth gives the price. */
  readonly steps: readonly BandwidthStep[];
}

/** How sites under a plan are charged afterwards. */
export type PlanCharge =
  /** They are not: the plan was paid ahead. */
  | { readonly priceType: "period" }
  /** For a GB (1024^3 bytes), in millionths of the currency. */
  | { readonly priceType: "traffic"; readonly pricePerGB: bigint }
  | { readonly priceType: "bandwidth"; readonly bandwidth: BandwidthPrice };

/** What other plugins may ask of plans. */
export interface Plans {
  /** Plans that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, planIds: readonly bigint[]): Promise<ReadonlyMap<bigint, PlanSummary>>;
  /** Refuses, naming `field`, unless the plan exists. */
  requirePlan(call: Call, field: string, planId: bigint): Promise<PlanSummary>;
  /** How plans are charged, by id; also those that have been deleted, since bills look back. */
  charges(call: Call, planIds: readonly bigint[]): Promise<ReadonlyMap<bigint, PlanCharge>>;
}
export const Plans: Contract<Plans> = defineContract("plan");

/** Where plugins say what uses a plan. */
export const PlanUses: ExtensionPoint<UseCheck> = defineExtensionPoint("plan.uses");
