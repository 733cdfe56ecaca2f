import type { Call } from "edgehelm";
import type { NSDomainFollower } from "../ns_domain/contract.ts";
import type { UserRemoval } from "../user/contract.ts";
import type { NSRouteRow, NSRouteStore } from "./store.ts";

/** Deletes the routes of a deleted user, in batches. */
export function userRemoval(routes: NSRouteStore): UserRemoval {
  return {
    removeSome: async (call, userId, limit) =>
      await removeAll(call, routes, await routes.someOfUser.all(call, { userId, limit })),
  };
}

/** Deletes the routes of a deleted domain, and assigns new versions to those of a moved one for its new cluster's nodes. */
export function domainFollower(routes: NSRouteStore): NSDomainFollower {
  return {
    async followSome(call, { id: nsDomainId, isDeleted }, after, limit) {
      const rows = await routes.someOfDomain.all(call, { nsDomainId, after, limit });
      await routes.changeAll(call, rows.map((row) => isDeleted ? { ...row, state: 0n } : row));
      return rows.at(-1)?.id;
    },
  };
}

async function removeAll(call: Call, routes: NSRouteStore, rows: readonly NSRouteRow[]): Promise<number> {
  await routes.changeAll(call, rows.map((row) => ({ ...row, state: 0n })));
  return rows.length;
}
