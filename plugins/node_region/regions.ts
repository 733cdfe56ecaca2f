import { invalid, type UseCheck } from "edgehelm";
import type { NodeRegions } from "./contract.ts";
import type { NodeRegionStore } from "./store.ts";

/** Implements the contract `NodeRegions`. */
export function nodeRegions(regions: NodeRegionStore): NodeRegions {
  return {
    async summaries(call, ids) {
      const rows = await regions.byIds.all(call, { ids: [...ids] });
      return new Map(rows.map(({ id, name, isOn }) => [id, { id, name, isOn: isOn === 1n }]));
    },
    async requireRegion(call, field, id) {
      await regions.byId.require(call, { id }, () => invalid(field, `region ${id} does not exist`));
    },
    prices: (call) => regions.allPrices.all(call, {}),
  };
}

/** Finds the regions that have a price for a price item. */
export function priceItemUses(regions: NodeRegionStore): UseCheck {
  return {
    async referencesTo(call, nodePriceItemId, limit) {
      const rows = await regions.namesWithPriceItem.all(call, { nodePriceItemId, limit });
      return rows.map(({ name }) => `region "${name}"`);
    },
  };
}
