import { type Call, type Contract, defineContract } from "edgehelm";

/** The combination that has a price. */
export interface PricedPackage {
  readonly trafficPackageId: bigint;
  readonly nodeRegionId: bigint;
  readonly trafficPackagePeriodId: bigint;
}

/** Gives other plugins access to the prices of traffic packages. */
export interface TrafficPackagePrices {
  /** Returns the price of one package in hundredths of the currency unit; 0 if it is not sold. */
  priceOf(call: Call, priced: PricedPackage): Promise<bigint>;
}
export const TrafficPackagePrices: Contract<TrafficPackagePrices> = defineContract("traffic_package_price");
