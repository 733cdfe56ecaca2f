import { listOf } from "../../../parts/lists/list_of.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import type { UserPackage } from "../models.ts";
import { texts } from "./texts.ts";

/** A traffic package for a region and a time, with its price. */
export interface PackageOffer {
  readonly trafficPackageId: bigint;
  readonly nodeRegionId: bigint;
  readonly trafficPackagePeriodId: bigint;
  readonly price: number;
  readonly bytes: bigint;
  readonly months: number;
}

type Price = Omit<PackageOffer, "bytes" | "months">;
interface Package {
  readonly id: bigint;
  readonly bytes: bigint;
}
interface PackagePeriod {
  readonly id: bigint;
  readonly months: number;
}

export function mayBuyPackages(): boolean {
  return mayCall("UserTrafficPackageService/buyUserTrafficPackage");
}

/** Returns what is sold: the prices of packages and periods that are turned on, smallest first. */
export async function loadPackageOffers(signal: AbortSignal): Promise<readonly PackageOffer[]> {
  const [packages, periods, prices] = await Promise.all([
    listOf<Package>("TrafficPackageService/findAllAvailableTrafficPackages", "trafficPackages", {}, signal),
    listOf<PackagePeriod>(
      "TrafficPackagePeriodService/findAllAvailableTrafficPackagePeriods",
      "trafficPackagePeriods",
      {},
      signal,
    ),
    listOf<Price>("TrafficPackagePriceService/findAllTrafficPackagePrices", "trafficPackagePrices", {}, signal),
  ]);
  const offers = prices.flatMap((price) => {
    const sold = packages.find(({ id }) => id === price.trafficPackageId);
    const period = periods.find(({ id }) => id === price.trafficPackagePeriodId);
    return sold === undefined || period === undefined ? [] : [{ ...price, bytes: sold.bytes, months: period.months }];
  });
  return offers.sort((one, other) => Number(one.bytes - other.bytes) || one.months - other.months);
}

/** Returns the name of a region, which customers learn from packages that they own. */
export function regionName(nodeRegionId: bigint, owned: readonly UserPackage[]): string {
  const known = owned.find((one) => one.nodeRegionId === nodeRegionId)?.nodeRegion?.name;
  return known ?? fill(texts.value.regionNumber, { id: nodeRegionId });
}
