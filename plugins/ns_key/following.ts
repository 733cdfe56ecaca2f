import type { NSDomainFollower } from "../ns_domain/contract.ts";
import type { NSKeyStore } from "./store.ts";

/** Moves the keys of a domain to its new cluster, and deletes them with the domain. */
export function domainFollower(keys: NSKeyStore): NSDomainFollower {
  return {
    async followSome(call, { id: nsDomainId, nsClusterId, isDeleted }, after, limit) {
      const rows = await keys.someOfDomain.all(call, { nsDomainId, after, limit });
      await keys.changeAll(call, rows.map((row) => ({ ...row, ...(isDeleted ? { state: 0n } : { nsClusterId }) })));
      return rows.at(-1)?.id;
    },
  };
}
