import type { Call, NodeConnection } from "edgehelm";
import type { NSClusters } from "../ns_cluster/contract.ts";
import type { NSNodeStore } from "./store.ts";

const CONFIG_CHANGED = new TextEncoder().encode(JSON.stringify({ types: ["configChanged"] }));

/**
 * Tells a connected node when there is something new for it: its own settings or its cluster's changed, on whatever
 * instance that happened.
 */
export class TaskWatch {
  readonly #nodes: NSNodeStore;
  readonly #clusters: NSClusters;
  readonly #call: Call;
  readonly #connection: NodeConnection;
  #seen: string | undefined;
  #looking: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(nodes: NSNodeStore, clusters: NSClusters, call: Call, connection: NodeConnection) {
    this.#nodes = nodes;
    this.#clusters = clusters;
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
    const versions = `${node.configVersion} ${await this.#clusters.configVersion(this.#call, node.nsClusterId)}`;
    if (this.#seen !== undefined && this.#seen !== versions) {
      this.#connection.push({ code: "newNodeTask", dataJSON: CONFIG_CHANGED });
    }
    this.#seen = versions;
  }
}
