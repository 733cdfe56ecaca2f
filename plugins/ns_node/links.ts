import { type Call, distinct } from "edgehelm";
import type { NodeKind } from "../node_base/contract.ts";
import type { NSClusters } from "../ns_cluster/contract.ts";
import { callingNode } from "./callers.ts";
import type { NSNodeFeed } from "./contract.ts";
import manifest from "./plugin.json" with { type: "json" };
import type { Presence } from "./presence.ts";
import type { NSNodeStore } from "./store.ts";

const DEFAULT_POLL_MILLISECONDS = 1000;
const CONFIG_CHANGED = "configChanged";

/** The dependencies of {@link nsNodeKind}. */
export interface NSNodeKindDeps {
  readonly nodes: NSNodeStore;
  readonly clusters: NSClusters;
  readonly presence: Presence;
  readonly feeds: readonly NSNodeFeed[];
  readonly taskPollMilliseconds: number;
}

/** Describes DNS nodes to the plugin node_base: the effects of a connection, and the changes to notify connected nodes of. */
export function nsNodeKind({ nodes, clusters, presence, feeds, taskPollMilliseconds }: NSNodeKindDeps): NodeKind {
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
      message: (types) => ({ code: "newNodeTask", dataJSON: new TextEncoder().encode(JSON.stringify({ types })) }),
      everyMilliseconds: taskPollMilliseconds || DEFAULT_POLL_MILLISECONDS,
      onChange(listener) {
        for (const feed of feeds) feed.onChange(listener);
      },
      /** Returns the versions of each node's configuration and of the feeds of its cluster. */
      async versions(call, ids) {
        const rows = await nodes.versions.all(call, { ids: [...ids] });
        const clusterIds = distinct(rows.map((row) => row.nsClusterId));
        const ofCluster = await clusters.configVersions(call, clusterIds);
        const feedVersions = await feedVersionsOf(call, feeds, clusterIds);
        return new Map(rows.map(({ id, configVersion, nsClusterId }) => {
          const config = [CONFIG_CHANGED, `${configVersion} ${ofCluster.get(nsClusterId)}`] as const;
          return [id, new Map([config, ...feedVersions.get(nsClusterId)!])];
        }));
      },
    },
  };
}

/** Returns the latest version of each feed, by cluster. */
async function feedVersionsOf(call: Call, feeds: readonly NSNodeFeed[], clusterIds: readonly bigint[]) {
  const versions = new Map<bigint, [type: string, version: string][]>();
  for (const id of clusterIds) {
    const entries = feeds.map(async ({ type, latestVersion }): Promise<[string, string]> => [
      type,
      String(await latestVersion(call, id)),
    ]);
    versions.set(id, await Promise.all(entries));
  }
  return versions;
}
