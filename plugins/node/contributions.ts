import { type Clock, invalid, unixSeconds, type UseCheck } from "edgehelm";
import type { AdminDashboardFigures } from "../admin/contract.ts";
import type { NodeGrantSuggestion } from "../node_grant/contract.ts";
import type { Nodes } from "./contract.ts";
import { ACTIVE_SECONDS } from "./status.ts";
import type { NodeStore } from "./store.ts";
import type { NodeChanges } from "./store_changes.ts";

/** The contract over the store. */
export function nodesContract(nodes: NodeStore, changes: NodeChanges): Nodes {
  return {
    async summaries(call, ids) {
      const rows = ids.length === 0 ? [] : await nodes.summaries.all(call, { ids: [...ids] });
      return new Map(rows.map((row) => [row.id, { ...row, isOn: row.isOn === 1n }]));
    },
    async requireNode(call, field, id) {
      await nodes.byId.require(call, { id }, () => invalid(field, `node ${id} does not exist`));
    },
    async idsOfCluster(call, clusterId, afterId, limit) {
      return (await nodes.idsOfCluster.all(call, { clusterId, afterId, limit })).map(({ id }) => id);
    },
    async configChanged(call, ids) {
      if (ids.length > 0) await changes.markChanged.run(call, { ids: [...ids] });
    },
  };
}

/** What nodes use, for the plugins that keep it. */
export function nodeUses(nodes: NodeStore): Record<"clusters" | "regions" | "grants", UseCheck> {
  const named = (rows: readonly { name: string }[]) => rows.map(({ name }) => `node "${name}"`);
  return {
    clusters: {
      referencesTo: async (call, clusterId, limit) => named(await nodes.someOfCluster.all(call, { clusterId, limit })),
    },
    regions: {
      referencesTo: async (call, regionId, limit) => named(await nodes.someOfRegion.all(call, { regionId, limit })),
    },
    grants: {
      referencesTo: async (call, grantId, limit) => named(await nodes.someWithGrant.all(call, { grantId, limit })),
    },
  };
}

/** The grants that the nodes of a cluster are logged in to with. */
export function grantSuggestion(nodes: NodeStore): NodeGrantSuggestion {
  return {
    async grantsOf(call, { nodeClusterId: clusterId }) {
      return (await nodes.grantsOfCluster.all(call, { clusterId })).map(({ grantId }) => grantId);
    },
  };
}

/** How many nodes there are, and how many of them are not reachable. */
export function nodeFigures(nodes: NodeStore, clock: Clock): AdminDashboardFigures {
  return {
    async figures(call) {
      const activeSince = unixSeconds(clock) - ACTIVE_SECONDS;
      return {
        countNodes: (await nodes.count.one(call, {})).count,
        countOfflineNodes: (await nodes.countOffline.one(call, { activeSince })).count,
      };
    },
  };
}
