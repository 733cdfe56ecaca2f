import type { Call, NodeConnection } from "edgehelm";
import type { NSClusters } from "../ns_cluster/contract.ts";
import type { NSNodeFeed } from "./contract.ts";
import type { NSNodeRow, NSNodeStore } from "./store.ts";

/** Where a node's news come from. */
export interface TaskSources {
  readonly nodes: NSNodeStore;
  readonly clusters: NSClusters;
  readonly feeds: readonly NSNodeFeed[];
}

/**
 * Tells a connected node when there is something new for it: its own settings, its cluster's or what it follows changed,
 * on whatever instance that happened.
 */
export class TaskWatch {
  readonly #nodes: NSNodeStore;
  readonly #clusters: NSClusters;
  readonly #feeds: readonly NSNodeFeed[];
  readonly #call: Call;
  readonly #connection: NodeConnection;
  /** The versions of the last look, by type; those of the first are what the node starts with. */
  #seen: ReadonlyMap<string, string> | undefined;
  #looking: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(sources: TaskSources, call: Call, connection: NodeConnection) {
    this.#nodes = sources.nodes;
    this.#clusters = sources.clusters;
    this.#feeds = sources.feeds;
    this.#call = call;
    this.#connection = connection;
  }

  async start(everyMilliseconds: number): Promise<void> {
    await this.#look();
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().catch((error) => {
        this.#call.log.warn("a node's tasks cannot be looked up", { error: String(error) });
      }).finally(() => this.#looking = undefined);
    }, everyMilliseconds);
  }

  /** Waits for a look that goes on, since the call is used by one thing at a time. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { nodeId: id } = this.#connection;
    const node = await this.#nodes.byId.first(this.#call, { id });
    if (node === undefined || node.isOn !== 1n) return this.#connection.close();
    const versions = await this.#versionsFor(node);
    const types = [...versions].filter(([type, version]) => this.#seen?.get(type) !== version).map(([type]) => type);
    if (this.#seen !== undefined && types.length > 0) {
      this.#connection.push({ code: "newNodeTask", dataJSON: new TextEncoder().encode(JSON.stringify({ types })) });
    }
    this.#seen = versions;
  }

  async #versionsFor({ configVersion, nsClusterId }: NSNodeRow): Promise<ReadonlyMap<string, string>> {
    const ofCluster = await this.#clusters.configVersion(this.#call, nsClusterId);
    const versions = new Map([["configChanged", `${configVersion} ${ofCluster}`]]);
    for (const feed of this.#feeds) {
      versions.set(feed.type, String(await feed.latestVersion(this.#call, nsClusterId)));
    }
    return versions;
  }
}
