import type { Call, UseCheck } from "edgehelm";
import type { Filter, NSDomainLists } from "./store_lists.ts";

const ANY: Filter = { userId: 0n, nsClusterId: 0n, nsDomainGroupId: 0n, status: "", keyword: "" };

/** The domains of a cluster keep it from being deleted. */
export function clusterUses(lists: NSDomainLists): UseCheck {
  return usesBy(lists, (nsClusterId) => ({ ...ANY, nsClusterId }));
}

/** The domains in a group keep it from being deleted. */
export function groupUses(lists: NSDomainLists): UseCheck {
  return usesBy(lists, (nsDomainGroupId) => ({ ...ANY, nsDomainGroupId }));
}

function usesBy(lists: NSDomainLists, filterFor: (id: bigint) => Filter): UseCheck {
  return {
    async referencesTo(call: Call, id: bigint, limit: number) {
      const rows = await lists.list(call, filterFor(id), { offset: 0n, size: BigInt(limit) });
      return rows.map(({ name }) => `domain "${name}"`);
    },
  };
}
