import { distinct } from "edgehelm";
import type { NodeKind } from "../node_base/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import { latestVersion, secondaryClusters } from "./messages.ts";
import manifest from "./plugin.json" with { type: "json" };
import type { NodeStore } from "./store.ts";
import type { NodeChanges } from "./store_changes.ts";

const POLL_MILLISECONDS = 1000;
const CONFIG_CHANGED = "configChanged";

/** Describes edge nodes to the plugin node_base: the effects of a connection, and the changes to notify them of. */
export function nodeKind(nodes: NodeStore, changes: NodeChanges, clusters: NodeClusters): NodeKind {
  return {
    name: manifest.name,
    async connected(call, id) {
      await nodes.require(call, "nodeId", id);
    },
    async disconnected(call, id) {
      await changes.setActive.run(call, { id, isActive: false });
    },
    news: {
      message: (types) => ({ code: "newNodeTask", dataJSON: new TextEncoder().encode(JSON.stringify({ types })) }),
      everyMilliseconds: POLL_MILLISECONDS,
      async versions(call, ids) {
        const rows = await nodes.versions.all(call, { ids: [...ids] });
        const secondary = await secondaryClusters(call, nodes, rows.map(({ id }) => id));
        const clustersOf = new Map(rows.map((row) => [row.id, [row.nodeClusterId, ...secondary.get(row.id) ?? []]]));
        const versions = await clusters.configVersions(call, distinct([...clustersOf.values()].flat()));
        return new Map(rows.map((row) => {
          const version = String(latestVersion(row, clustersOf.get(row.id)!, versions));
          return [row.id, new Map([[CONFIG_CHANGED, version]])];
        }));
      },
    },
  };
}
