import { type Call, distinct } from "edgehelm";
import { containing } from "edgehelm/storage";
import type { NodeAddressSource, NodeConfigPart, NodeListener, Nodes } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { AddressedNodes, NodeIPAddresses } from "./contract.ts";
import type { NodeIPAddressRow, NodeIPAddressStore } from "./store.ts";

/** Returns addresses as operations return them, with the clusters that they are limited to. */
export async function addressMessages(call: Call, clusters: NodeClusters, rows: readonly NodeIPAddressRow[]) {
  const clusterIdsOf = new Map(
    rows.map(({ id, clusterIds }) => [id, (JSON.parse(clusterIds) as number[]).map(BigInt)]),
  );
  const clusterOf = await clusters.nested(call, distinct([...clusterIdsOf.values()].flat()));
  return rows.map((row) => ({
    ...plainAddress(row),
    nodeClusters: (clusterIdsOf.get(row.id) ?? []).flatMap((id) => clusterOf.get(id) ?? []),
  }));
}

/** Returns an address without clusters, as nodes contain it. */
function plainAddress(row: NodeIPAddressRow) {
  return {
    id: row.id,
    nodeId: row.nodeId,
    name: row.name,
    ip: row.ip,
    description: row.description,
    state: 1n,
    canAccess: row.canAccess === 1n,
    isOn: row.isOn === 1n,
    isUp: row.isUp === 1n,
    role: row.role,
    isHealthy: row.isUp === 1n,
  };
}

/** Supplies edge nodes, the nodes with the role `node`. */
export function edgeNodes(nodes: Nodes): AddressedNodes {
  return { role: "node", find: async (call, nodeId) => (await nodes.summaries(call, [nodeId])).get(nodeId) };
}

/** Supplies the addresses of edge nodes to the plugin `node`. */
export function edgeNodeAddresses(addresses: NodeIPAddressStore): NodeAddressSource {
  return {
    async ofNodes(call, nodeIds) {
      const rows = await addresses.ofNodes.all(call, { nodeIds: [...nodeIds], role: "node" });
      return Map.groupBy(rows.map(plainAddress), ({ nodeId }) => nodeId);
    },
    async nodesWith(call, text, limit) {
      const rows = await addresses.nodesWith.scan(call, { role: "node", pattern: containing(text), limit });
      return rows.map(({ nodeId }) => nodeId);
    },
  };
}

/** Adds the addresses of a node to its configuration. */
export function configPart(addresses: NodeIPAddressStore): NodeConfigPart {
  return {
    name: "ipAddresses",
    async compose(call, { id }) {
      const rows = await addresses.ofNode.all(call, { nodeId: id, role: "node" });
      return JSON.stringify(rows.map((row) => ({
        id: Number(row.id),
        ip: row.ip,
        isOn: row.isOn === 1n,
        isUp: row.isUp === 1n,
        canAccess: row.canAccess === 1n,
        clusterIds: JSON.parse(row.clusterIds),
      })));
    },
  };
}

/** Updates the copies of node properties in address rows. */
export function nodeListener(addresses: NodeIPAddressStore): NodeListener {
  return {
    async changed(call, { id, isOn, nodeClusterId }) {
      await addresses.copyNode.run(call, { nodeId: id, role: "node", isOn, nodeClusterId });
    },
  };
}

/** Implements the contract `NodeIPAddresses`. */
export function nodeIPAddresses(addresses: NodeIPAddressStore, clusters: NodeClusters): NodeIPAddresses {
  return {
    async byIds(call, ids) {
      const rows = ids.length === 0 ? [] : await addresses.byIds.all(call, { ids: [...ids] });
      return new Map((await addressMessages(call, clusters, rows)).map((message) => [message.id, message]));
    },
    async accessible(call, role, nodeClusterId, page) {
      const rows = nodeClusterId === 0n
        ? await addresses.accessible.all(call, { role, ...page })
        : await addresses.accessibleOfCluster.all(call, { role, nodeClusterId, ...page });
      return await addressMessages(call, clusters, rows);
    },
    async countAccessible(call, role, nodeClusterId) {
      if (nodeClusterId === 0n) return (await addresses.countAccessible.one(call, { role })).count;
      return (await addresses.countAccessibleOfCluster.one(call, { role, nodeClusterId })).count;
    },
    async setUp(call, id, isUp) {
      await addresses.setUp.run(call, { id, isUp });
    },
    async nodeChanged(call, role, nodeId, node) {
      await addresses.copyNode.run(call, { role, nodeId, ...node });
    },
    async nodeDeleted(call, role, nodeId) {
      await addresses.softDeleteOfNode.run(call, { role, nodeId });
    },
  };
}
