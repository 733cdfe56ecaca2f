import type { Call } from "edgehelm";
import type { NSNodeFeed } from "../ns_node/contract.ts";
import type { HistoryStore } from "./store.ts";

/** The number of starts whose nodes can continue where they were. */
const MAX_HISTORIES = 1000n;
const ALL_CLUSTERS = 0n;

/** The versions of feeds by type. */
type Versions = ReadonlyMap<string, bigint>;

/**
 * Finds out whether an installation ever had the versions that a node has. After the restore of a backup it counts from
 * earlier versions again, so that the same versions mean other changes. Because a restored database is served by a new
 * process, each start begins a history, with the versions at its start: no version of the history before is higher.
 */
export class Histories {
  readonly #store: HistoryStore;
  readonly #feeds: () => readonly NSNodeFeed[];

  constructor(store: HistoryStore, feeds: () => readonly NSNodeFeed[]) {
    this.#store = store;
    this.#feeds = feeds;
  }

  /** Begins a history. To be called once by each process, before it serves calls. */
  async begin(call: Call): Promise<void> {
    await call.transact(async (inner) => {
      const versions = Object.fromEntries(await this.latest(inner, ALL_CLUSTERS));
      const text = JSON.stringify(versions, (_key, value) => typeof value === "bigint" ? `${value}` : value);
      const { id } = await this.#store.insert.one(inner, { name: crypto.randomUUID(), versions: text });
      await this.#store.removeBefore.run(inner, { id: id - MAX_HISTORIES });
    });
  }

  /** Returns the name of the current history; empty if no process has begun one. */
  async current(call: Call): Promise<string> {
    return (await this.#store.last.first(call, {}))?.name ?? "";
  }

  /** Returns true if the installation had these versions in the history. */
  async knows(call: Call, history: string, versions: Versions): Promise<boolean> {
    const found = await this.#store.named.first(call, { name: history });
    if (found === undefined) return false;
    const following = await this.#store.following.first(call, { id: found.id });
    const last = following === undefined ? await this.latest(call, ALL_CLUSTERS) : parsed(following.versions);
    return versions.entries().every(([type, version]) => version <= (last.get(type) ?? 0n));
  }

  /** Returns the latest versions that concern a cluster; 0 means all clusters. */
  async latest(call: Call, nsClusterId: bigint): Promise<Versions> {
    const entries = this.#feeds().map(async ({ type, latestVersion }) =>
      [type, await latestVersion(call, nsClusterId)] as const
    );
    return new Map(await Promise.all(entries));
  }
}

function parsed(text: string): Versions {
  const versions = JSON.parse(text) as Record<string, string>;
  return new Map(Object.entries(versions).map(([type, version]) => [type, BigInt(version)]));
}
