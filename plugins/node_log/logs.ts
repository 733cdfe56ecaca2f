import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { Nodes } from "../node/contract.ts";
import type { NodeLogCluster, NodeLogs } from "./contract.ts";
import type { NodeLogStore } from "./store.ts";
import type { NodeLogChanges } from "./store_changes.ts";
import { hashed, writeLogs } from "./writer.ts";

const IDS_PER_QUERY = 1000;

/** Implements the contract `NodeLogs`. */
export function nodeLogs(deps: { logs: NodeLogStore; changes: NodeLogChanges; clock: Clock }): NodeLogs {
  return {
    async write(call, newLogs) {
      const createdAt = unixSeconds(deps.clock);
      const complete = newLogs.map(({ params = "", type = "", serverId = 0n, ...log }) => ({
        ...log,
        type,
        serverId,
        originId: 0n,
        paramsJSON: params,
        createdAt,
      }));
      const hashedLogs = await hashed(complete);
      await call.transact((inner) => writeLogs(inner, deps, hashedLogs));
    },
    async removeOfNode(call, role, nodeId) {
      await deps.changes.beginDeletion.run(call, { role, nodeId });
    },
  };
}

/** Supplies the edge nodes of clusters. */
export function edgeNodes(nodes: Nodes): NodeLogCluster {
  return {
    role: "node",
    async nodesOf(call: Call, clusterId) {
      const ids: bigint[] = [];
      for (;;) {
        const batch = await nodes.idsOfCluster(call, clusterId, ids.at(-1) ?? 0n, IDS_PER_QUERY);
        ids.push(...batch);
        if (batch.length < IDS_PER_QUERY) return ids;
      }
    },
  };
}
