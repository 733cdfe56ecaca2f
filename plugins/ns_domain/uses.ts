import type { Call, UseCheck } from "edgehelm";
import type { NSDomainList } from "./store_tables.ts";

/** Finds the domains of a cluster, which prevent its deletion. */
export function clusterUses(list: NSDomainList): UseCheck {
  return usesBy(list, (nsClusterId) => ({ nsClusterId }));
}

/** Finds the domains in a group, which prevent its deletion. */
export function groupUses(list: NSDomainList): UseCheck {
  return usesBy(list, (nsDomainGroupId) => ({ nsDomainGroupId }));
}

function usesBy(list: NSDomainList, filterFor: (id: bigint) => Parameters<NSDomainList["page"]>[1]): UseCheck {
  return {
    async referencesTo(call: Call, id: bigint, limit: number) {
      const rows = await list.page(call, filterFor(id), { offset: 0n, size: BigInt(limit) });
      return rows.map(({ name }) => `domain "${name}"`);
    },
  };
}
