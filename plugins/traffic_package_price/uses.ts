import type { UseCheck } from "edgehelm";
import type { Neighbours } from "./handlers.ts";
import type { KeyColumn, TrafficPackagePriceStore } from "./store.ts";

/** Which prices a package, a period or a region has, worded by what they are for. */
export function priceUses(prices: TrafficPackagePriceStore, neighbours: Neighbours, column: KeyColumn): UseCheck {
  return {
    async referencesTo(call, id, limit) {
      const rows = await prices.some[column].all(call, { id, limit });
      const packages = await neighbours.packages.summaries(call, rows.map((row) => row.trafficPackageId));
      const periods = await neighbours.periods.summaries(call, rows.map((row) => row.trafficPackagePeriodId));
      const regions = await neighbours.regions.summaries(call, rows.map((row) => row.nodeRegionId));
      return rows.map((row) => {
        const traffic = packages.get(row.trafficPackageId);
        const period = periods.get(row.trafficPackagePeriodId);
        const region = regions.get(row.nodeRegionId);
        return `the price of ${traffic?.size} ${traffic?.unit} for ${period?.count} ${period?.unit} in "${region?.name}"`;
      });
    },
  };
}
