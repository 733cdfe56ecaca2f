import type { UseCheck } from "edgehelm";
import type { NSDomains } from "../ns_domain/contract.ts";
import type { NSRecordStore } from "./store.ts";

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
