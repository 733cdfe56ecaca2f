import type { UseCheck } from "edgehelm";
import type { Deps } from "./handlers.ts";
import type { KeyColumn, TrafficPackagePriceStore } from "./store.ts";

/** Prevents packages, periods and regions with prices from being deleted. */
export function priceUses(prices: TrafficPackagePriceStore, deps: Deps, column: KeyColumn): UseCheck {
  return {
    async referencesTo(call, id, limit) {
      const rows = await prices.pricesWith[column].all(call, { id, limit });
      const packages = await deps.packages.summaries(call, rows.map((row) => row.trafficPackageId));
      const periods = await deps.periods.summaries(call, rows.map((row) => row.trafficPackagePeriodId));
      const regions = await deps.regions.summaries(call, rows.map((row) => row.nodeRegionId));
      return rows.map((row) => {
        const traffic = packages.get(row.trafficPackageId);
        const period = periods.get(row.trafficPackagePeriodId);
        const region = regions.get(row.nodeRegionId);
        return `the price of ${traffic?.size} ${traffic?.unit} for ${period?.count} ${period?.unit} in "${region?.name}"`;
      });
    },
  };
}
