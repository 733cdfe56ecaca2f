import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { Nodes } from "../node/contract.ts";
import type { NodeLogCluster, NodeLogs } from "./contract.ts";
import type { NodeLogStore } from "./store.ts";
import type { NodeLogChanges } from "./store_changes.ts";
import { hashed, writeLogs } from "./writer.ts";

const IDS_AT_ONCE = 1000;

/** The contract over the store. */
export function nodeLogs(parts: { logs: NodeLogStore; changes: NodeLogChanges; clock: Clock }): NodeLogs {
  return {
    async write(call, newLogs) {
      const createdAt = unixSeconds(parts.clock);
      const whole = newLogs.map(({ params = "", type = "", serverId = 0n, ...log }) => ({
        ...log,
        type,
        serverId,
        originId: 0n,
        paramsJSON: params,
        createdAt,
      }));
      const kept = await hashed(whole);
      await call.transact((inner) => writeLogs(inner, parts, kept));
    },
    async removeOfNode(call, role, nodeId) {
      await parts.changes.beginRemoval.run(call, { role, nodeId });
    },
  };
}

/** The edge nodes of clusters, for the plugin of which this is the caller. */
export function edgeNodes(nodes: Nodes): NodeLogCluster {
  return {
    role: "node",
    async nodesOf(call: Call, clusterId) {
      const ids: bigint[] = [];
      for (;;) {
        const some = await nodes.idsOfCluster(call, clusterId, ids.at(-1) ?? 0n, IDS_AT_ONCE);
        ids.push(...some);
        if (some.length < IDS_AT_ONCE) return ids;
      }
    },
  };
}
