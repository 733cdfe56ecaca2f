import type { Call } from "edgehelm";
import type { NSDomainFollower } from "../ns_domain/contract.ts";
import type { UserRemoval } from "../user/contract.ts";
import type { NSRouteRow, NSRouteStore } from "./store.ts";

/** A deleted user's routes go, a piece at a time. */
export function userRemoval(routes: NSRouteStore): UserRemoval {
  return {
    removeSome: async (call, userId, limit) =>
      await removeAll(call, routes, await routes.someOfUser.all(call, { userId, limit })),
  };
}

/** A deleted domain's routes go with it; where it moves makes no difference to them. */
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
