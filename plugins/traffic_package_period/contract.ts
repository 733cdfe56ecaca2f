import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A period as it stands beside a price. */
export interface TrafficPackagePeriodSummary {
  readonly id: bigint;
  readonly count: number;
  readonly unit: string;
  readonly months: number;
  readonly isOn: boolean;
}

/** What other plugins may ask of the periods of traffic packages. */
export interface TrafficPackagePeriods {
  /** Periods that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, periodIds: readonly bigint[]): Promise<ReadonlyMap<bigint, TrafficPackagePeriodSummary>>;
  /** Refuses, naming `field`, unless the period exists. */
  requirePeriod(call: Call, field: string, periodId: bigint): Promise<void>;
}
export const TrafficPackagePeriods: Contract<TrafficPackagePeriods> = defineContract("traffic_package_period");

/** Where plugins say what uses a period. */
export const TrafficPackagePeriodUses: ExtensionPoint<UseCheck> = defineExtensionPoint("traffic_package_period.uses");
