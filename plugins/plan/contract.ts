import type { JsonObject } from "@bufbuild/protobuf";
import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  defineUses,
  type ExtensionPoint,
  type Uses,
} from "edgehelm";
import type { Summaries } from "edgehelm/rows";

/** The payment model of a plan: prepaid for a period, or postpaid by traffic or bandwidth. */
export type PlanPriceType = "period" | "traffic" | "bandwidth";

/** A period for which a plan is sold. */
export type PlanPeriod = "monthly" | "seasonally" | "yearly";

/** A summary of a plan. */
export interface PlanSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** The cluster that serves sites of the plan; 0 if the plan does not specify one. */
  readonly clusterId: bigint;
  readonly priceType: PlanPriceType;
  /** The maximum number of sites; 0 means no limit. */
  readonly totalServers: number;
  /** The maximum number of names of each site; 0 means no limit. */
  readonly totalServerNamesPerServer: number;
  /** The maximum number of names of all sites together; 0 means no limit. */
  readonly totalServerNames: number;
  /** The features that sites may use; undefined for all. */
  readonly features: ReadonlySet<string> | undefined;
  /** In hundredths of the currency unit. A period with price 0 is not sold, unless all prices are 0. */
  readonly periodPrices: Readonly<Record<PlanPeriod, bigint>>;
}

/** A price band of bandwidth, in millionths of a MB (1024^2 bytes per second). */
export interface BandwidthStep {
  /** The lower bound, inclusive. */
  readonly min: bigint;
  /** The upper bound, exclusive; 0 means no upper bound. */
  readonly max: bigint;
  /** The price per MB in millionths of the currency unit; ignored if there is a total price. */
  readonly pricePerMB: bigint;
  /** The price of the whole band in millionths of the currency unit; 0 if each MB is charged. */
  readonly totalPrice: bigint;
}

/** The price of bandwidth, which is measured as a percentile of all five-minute samples. */
export interface BandwidthPrice {
  readonly percentile: number;
  /** The first step that contains the bandwidth determines the price. */
  readonly steps: readonly BandwidthStep[];
}

/** The postpaid charge for sites of a plan. */
export type PlanCharge =
  /** None, because the plan is prepaid. */
  | { readonly priceType: "period" }
  /** The price per GB (1024^3 bytes) in millionths of the currency unit. */
  | { readonly priceType: "traffic"; readonly pricePerGB: bigint }
  | { readonly priceType: "bandwidth"; readonly bandwidth: BandwidthPrice };

/** Gives other plugins access to plans. */
export interface Plans extends Summaries<PlanSummary> {
  /** Returns a plan. Refuses, with an error that names `field`, a plan that does not exist. */
  requirePlan(call: Call, field: string, planId: bigint): Promise<PlanSummary>;
  /** Returns the quotas that plans set, by id and name; 0 means no limit. Plans that set none are absent. */
  quotas(call: Call, planIds: readonly bigint[]): Promise<ReadonlyMap<bigint, ReadonlyMap<string, bigint>>>;
  /** Returns what nodes learn of plans, by id, including deleted plans: limits and features as a JSON object. */
  configs(call: Call, planIds: readonly bigint[]): Promise<ReadonlyMap<bigint, JsonObject>>;
  /** Returns the charges of plans by id, including deleted plans, because bills are for past periods. */
  charges(call: Call, planIds: readonly bigint[]): Promise<ReadonlyMap<bigint, PlanCharge>>;
}
export const Plans: Contract<Plans> = defineContract("plan");

/** A listener for plans whose limits or features change. */
export interface PlanListener {
  /** Runs in the transaction of the change, after it. */
  changed(call: Call, planId: bigint): Promise<void>;
}
export const PlanListeners: ExtensionPoint<PlanListener> = defineExtensionPoint("plan.listeners");

/** The extension point for plugins that use plans. */
export const PlanUses: Uses = defineUses("plan");

export {
  ClusterAccess,
  type ClusterAccessDeps,
  type ClusterAudience,
  ClusterAudiences,
  type Restricted,
} from "./contract/cluster_access.ts";
export { PlanHolders } from "./contract/holders.ts";
