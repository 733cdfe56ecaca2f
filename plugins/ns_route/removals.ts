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

/** Deletes the routes of a deleted domain; routes do not depend on the cluster of their domain. */
export function domainFollower(routes: NSRouteStore): NSDomainFollower {
  return {
    async followSome(call, { id: nsDomainId, isDeleted }, after, limit) {
      if (!isDeleted) return undefined;
      const rows = await routes.someOfDomain.all(call, { nsDomainId, after, limit });
      await removeAll(call, routes, rows);
      return rows.at(-1)?.id;
    },
  };
}

async function removeAll(call: Call, routes: NSRouteStore, rows: readonly NSRouteRow[]): Promise<number> {
  await routes.changeAll(call, rows.map((row) => ({ ...row, state: 0n })));
  return rows.length;
}
