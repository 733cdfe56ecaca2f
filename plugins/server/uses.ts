import type { Call, UseCheck } from "edgehelm";
import type { UserRemoval } from "../user/contract.ts";
import type { Servers } from "./contract.ts";
import { errors } from "./errors.ts";
import type { Sites } from "./sites.ts";
import type { ServerStore } from "./store.ts";

/** The servers of a cluster keep it from being deleted. */
export function clusterUses(servers: ServerStore): UseCheck {
  return {
    async usersOf(call: Call, id: bigint, limit: number) {
      return (await servers.ofCluster.all(call, { id, limit })).map(({ name }) => `server "${name}"`);
    },
  };
}

/** A deleted user's servers go, a piece at a time. */
export function userRemoval(servers: ServerStore, sites: Sites): UserRemoval {
  return {
    async removeSome(call: Call, userId: bigint, limit: number) {
      const ids = (await servers.idsOfUser.all(call, { userId, afterId: 0n, limit })).map(({ id }) => id);
      if (ids.length > 0) await sites.remove(call, await servers.byIds.all(call, { ids }));
      return ids.length;
    },
  };
}

/** What other plugins may ask of servers. */
export function serverContract(servers: ServerStore, sites: Sites): Servers {
  return {
    async summaries(call, ids) {
      return new Map((await servers.byIds.all(call, { ids })).map((row) => [row.id, row]));
    },
    async requireOwned(call, id) {
      if (await sites.find(call, id) === undefined) throw errors.not_found(id);
    },
    async idsOfUser(call, userId, afterId, limit) {
      return (await servers.idsOfUser.all(call, { userId, afterId, limit })).map(({ id }) => id);
    },
    ofUserPlan: (call, userPlanId) => servers.ofUserPlan.all(call, { userPlanId }),
    usingReverseProxy: (call, id, limit) => servers.ofProxy.all(call, { id, limit }),
    configChanged: (call, ids) => sites.touch(call, ids),
  };
}
