import type { NodeKind } from "edgehelm";
import type { NSClusters } from "../ns_cluster/contract.ts";
import { callingNode } from "./callers.ts";
import manifest from "./plugin.json" with { type: "json" };
import type { Presence } from "./presence.ts";
import type { NSNodeStore } from "./store.ts";

const DEFAULT_POLL_MILLISECONDS = 1000;
const CONFIG_CHANGED = new TextEncoder().encode(JSON.stringify({ types: ["configChanged"] }));

export interface NSNodeKindParts {
  readonly nodes: NSNodeStore;
  readonly clusters: NSClusters;
  readonly presence: Presence;
  readonly taskPollMilliseconds: number;
}

/** What the streams of DNS nodes do to the nodes, and what they tell them. */
export function nsNodeKind({ nodes, clusters, presence, taskPollMilliseconds }: NSNodeKindParts): NodeKind {
  return {
    name: manifest.name,
    async connected(call, id) {
      const node = await callingNode(nodes, call);
      await nodes.setActive.run(call, { id, isActive: true });
      await presence.cameOnline(call, node);
    },
    async disconnected(call, id) {
      await nodes.setActive.run(call, { id, isActive: false });
    },
    news: {
      message: { code: "newNodeTask", dataJSON: CONFIG_CHANGED },
      everyMilliseconds: taskPollMilliseconds || DEFAULT_POLL_MILLISECONDS,
      /** Its own settings and its cluster's. */
      async versions(call, ids) {
        const rows = await nodes.versions.all(call, { ids: [...ids] });
        const ofCluster = await clusters.configVersions(call, [...new Set(rows.map((row) => row.nsClusterId))]);
        return new Map(rows.map((row) => [row.id, `${row.configVersion} ${ofCluster.get(row.nsClusterId)}`]));
      },
    },
  };
}
