import type { Call, UseCheck } from "edgehelm";
import type { Filter, NSDomainLists } from "./store_lists.ts";

const NO_FILTER: Filter = { userId: 0n, nsClusterId: 0n, nsDomainGroupId: 0n, status: "", keyword: "" };

/** Finds the domains of a cluster, which prevent its deletion. */
export function clusterUses(lists: NSDomainLists): UseCheck {
  return usesBy(lists, (nsClusterId) => ({ ...NO_FILTER, nsClusterId }));
}

/** Finds the domains in a group, which prevent its deletion. */
export function groupUses(lists: NSDomainLists): UseCheck {
  return usesBy(lists, (nsDomainGroupId) => ({ ...NO_FILTER, nsDomainGroupId }));
}

function usesBy(lists: NSDomainLists, filterFor: (id: bigint) => Filter): UseCheck {
  return {
    async referencesTo(call: Call, id: bigint, limit: number) {
      const rows = await lists.list(call, filterFor(id), { offset: 0n, size: BigInt(limit) });
      return rows.map(({ name }) => `domain "${name}"`);
    },
  };
}
