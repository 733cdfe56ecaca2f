import type { Call, UseCheck } from "edgehelm";
import type { UserRemoval } from "../user/contract.ts";
import type { Filter, NSDomainLists } from "./store_lists.ts";
import type { NSDomainStore } from "./store.ts";

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
    async usersOf(call: Call, id: bigint, limit: number) {
      const rows = await lists.list(call, filterFor(id), { offset: 0n, size: BigInt(limit) });
      return rows.map(({ name }) => `domain "${name}"`);
    },
  };
}

/** A deleted user's domains go, a piece at a time. */
export function userRemoval(domains: NSDomainStore): UserRemoval {
  return {
    async removeSome(call: Call, userId: bigint, limit: number) {
      const ids = (await domains.someOfUser.all(call, { userId, limit })).map(({ id }) => id);
      await domains.remove(call, ids);
      return ids.length;
    },
  };
}
