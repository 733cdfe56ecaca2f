import type { UseCheck } from "edgehelm";
import type { NSDomainFollower, NSDomains } from "../ns_domain/contract.ts";
import type { NSRecordStore } from "./store.ts";

/** Moves records with their domain to its new cluster, and deletes them with their domain. */
export function domainFollower(store: NSRecordStore): NSDomainFollower {
  return {
    async followSome(call, { id: nsDomainId, nsClusterId, isDeleted }, after, limit) {
      const ids = (await store.idsOfDomain.all(call, { nsDomainId, after, limit })).map(({ id }) => id);
      await (isDeleted ? store.remove(call, ids) : store.move(call, ids, nsClusterId));
      return ids.at(-1);
    },
  };
}

/** Prevents routes that records use from being deleted. */
export function routeUses(store: NSRecordStore, domains: NSDomains): UseCheck {
  return {
    async referencesTo(call, id, limit) {
      const rows = await store.usingRoute.all(call, { routeCode: `id:${id}`, limit });
      const domainOf = await domains.summaries(call, rows.map(({ nsDomainId }) => nsDomainId));
      return rows.map(({ name, type, nsDomainId }) =>
        `record "${name} ${type}" of domain "${domainOf.get(nsDomainId)?.name ?? nsDomainId}"`
      );
    },
  };
}
