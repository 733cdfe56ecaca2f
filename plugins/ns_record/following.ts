import type { UseCheck } from "edgehelm";
import type { NSDomainFollower, NSDomains } from "../ns_domain/contract.ts";
import type { NSRecordStore } from "./store.ts";

/** A domain's records follow it to its cluster, and go with it. */
export function domainFollower(store: NSRecordStore): NSDomainFollower {
  return {
    async followSome(call, { id: nsDomainId, nsClusterId, isDeleted }, limit) {
      if (isDeleted) {
        const rows = await store.ofDomain.all(call, { nsDomainId, limit });
        await store.remove(call, rows.map(({ id }) => id));
        return rows.length;
      }
      const rows = await store.elsewhere.all(call, { nsDomainId, nsClusterId, limit });
      await store.move(call, rows.map(({ id }) => id), nsClusterId);
      return rows.length;
    },
  };
}

/** Records keep the route that they use from being deleted. */
export function routeUses(store: NSRecordStore, domains: NSDomains): UseCheck {
  return {
    async usersOf(call, id, limit) {
      const rows = await store.usingRoute.all(call, { routeCode: `id:${id}`, limit });
      const domainOf = await domains.summaries(call, rows.map(({ nsDomainId }) => nsDomainId));
      return rows.map(({ name, type, nsDomainId }) =>
        `record "${name} ${type}" of domain "${domainOf.get(nsDomainId)?.name ?? nsDomainId}"`
      );
    },
  };
}
