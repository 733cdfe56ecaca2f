import { type Clock, invalid, unixSeconds, type UseCheck, type Uses } from "edgehelm";
import { NodeClusterUses } from "../node_cluster/contract.ts";
import type { AdminDashboardFigures } from "../admin/contract.ts";
import { type NodeGrantSuggestion, NodeGrantUses } from "../node_grant/contract.ts";
import { NodeRegionUses } from "../node_region/contract.ts";
import type { Nodes } from "./contract.ts";
import { ACTIVE_SECONDS } from "./status.ts";
import type { NodeStore } from "./store.ts";
import type { NodeChanges } from "./store_changes.ts";

/** Implements the contract `Nodes`. */
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
    async clustersOf(call, nodeId) {
      return (await nodes.clustersOf.all(call, { nodeId })).map(({ nodeClusterId }) => nodeClusterId);
    },
    async configChanged(call, ids) {
      if (ids.length > 0) await changes.markChanged.run(call, { ids: [...ids] });
    },
  };
}

/** Returns what finds the nodes that use a cluster, a region or a grant. */
export function nodeUses(nodes: NodeStore): readonly (readonly [Uses, UseCheck])[] {
  const references = (rows: readonly { name: string }[]) => rows.map(({ name }) => `node "${name}"`);
  return [
    [NodeClusterUses, {
      referencesTo: async (call, clusterId, limit) =>
        references(await nodes.namesInCluster.all(call, { clusterId, limit })),
    }],
    [NodeRegionUses, {
      referencesTo: async (call, regionId, limit) =>
        references(await nodes.namesInRegion.all(call, { regionId, limit })),
    }],
    [NodeGrantUses, {
      referencesTo: async (call, grantId, limit) =>
        references(await nodes.namesWithGrant.all(call, { grantId, limit })),
    }],
  ];
}

/** Suggests the grants that the nodes of a cluster already use. */
export function grantSuggestion(nodes: NodeStore): NodeGrantSuggestion {
  return {
    async grantsOf(call, { nodeClusterId: clusterId }) {
      return (await nodes.grantsOfCluster.all(call, { clusterId })).map(({ grantId }) => grantId);
    },
  };
}

/** Counts all nodes and those that are offline. */
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
