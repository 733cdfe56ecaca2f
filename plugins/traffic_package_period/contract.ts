import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";

/** A summary of a period. */
export interface TrafficPackagePeriodSummary {
  readonly id: bigint;
  readonly count: number;
  readonly unit: string;
  readonly months: number;
  readonly isOn: boolean;
}

/** Gives other plugins access to the periods of traffic packages. */
export interface TrafficPackagePeriods {
  /** Returns the periods that exist and are not deleted, by id. */
  summaries(call: Call, periodIds: readonly bigint[]): Promise<ReadonlyMap<bigint, TrafficPackagePeriodSummary>>;
  /** Refuses, with an error that names `field`, a period that does not exist. */
  requirePeriod(call: Call, field: string, periodId: bigint): Promise<void>;
}
export const TrafficPackagePeriods: Contract<TrafficPackagePeriods> = defineContract("traffic_package_period");

/** The extension point for plugins that use periods. */
export const TrafficPackagePeriodUses: Uses = defineUses("traffic_package_period");
