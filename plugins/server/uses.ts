import { distinct } from "edgehelm";
import type { Servers } from "./contract.ts";
import { errors } from "./errors.ts";
import type { SiteFeatures } from "./features.ts";
import type { Serving } from "./serving.ts";
import type { Sites } from "./sites.ts";
import { wildcardsFor } from "./names.ts";
import type { ServerStore } from "./store.ts";
import type { NameStore } from "./store_names.ts";

/** Implements the contract on top of the store. */
export function serverContract(
  servers: ServerStore,
  names: NameStore,
  sites: Sites,
  serving: Serving,
  features: SiteFeatures,
): Servers {
  return {
    async summaries(call, ids) {
      return new Map((await servers.byIds.all(call, { ids })).map((row) => [row.id, row]));
    },
    async requireOwned(call, id) {
      if (await sites.find(call, id) === undefined) throw errors.not_found(id);
    },
    servedByCaller: (call, ids) => serving.servedByCaller(call, ids),
    proxiesServedByCaller: (call, ids) => serving.proxiesServedByCaller(call, ids),
    async idsOfUser(call, userId, afterId, limit) {
      return (await servers.idsOfUser.all(call, { userId, afterId, limit })).map(({ id }) => id);
    },
    planned: (call, id) => servers.byId.first(call, { id }),
    ofUserPlan: (call, userPlanId) => servers.ofUserPlan.all(call, { userPlanId }),
    usingReverseProxy: (call, id, limit) => servers.ofProxy.all(call, { id, limit }),
    async proxiesOnSitesOf(call, ids, userId) {
      return (await servers.proxiesOfUser.all(call, { ids, userId })).map(({ reverseProxyId }) => reverseProxyId);
    },
    async proxiesOnSitesOfOthers(call, ids, userId) {
      return (await servers.proxiesOfOthers.all(call, { ids, userId })).map(({ reverseProxyId }) => reverseProxyId);
    },
    async named(call, userId, wanted) {
      const candidates = wanted.map((name) => [name, [name, ...wildcardsFor(name)]] as const);
      const held = await names.ofOwner.all(call, { userId, names: distinct(candidates.flatMap(([, all]) => all)) });
      const byName = new Map(held.reverse().map(({ name, serverId }) => [name, serverId]));
      return new Map(candidates.flatMap(([name, all]) => {
        const found = all.find((candidate) => byName.has(candidate));
        return found === undefined ? [] : [[name, byName.get(found)!] as const];
      }));
    },
    async clustersOfUser(call, userId) {
      return (await servers.clustersOfUser.all(call, { userId })).map(({ nodeClusterId }) => nodeClusterId);
    },
    lackingFeature: (call, rows, feature) => features.lacking(call, rows, feature),
    async requireFeature(call, field, id, feature) {
      const row = await servers.byId.first(call, { id });
      if (row !== undefined) await features.require(call, field, row, feature);
    },
    featureObstacles: (call, rows, included) => features.obstacles(call, rows, included),
    configChanged: (call, ids) => sites.touch(call, ids),
  };
}
