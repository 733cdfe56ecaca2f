import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { NSNodeWatcher } from "./contract.ts";
import { SILENT_SECONDS } from "./rules.ts";
import type { NSNodeRow, NSNodeStore } from "./store.ts";

const TOLD_AT_ONCE = 500;

/** Knows who is there, and tells the watchers once for each coming and going. */
export class Presence {
  readonly #nodes: NSNodeStore;
  readonly #watchers: readonly NSNodeWatcher[];
  readonly #clock: Clock;

  constructor(nodes: NSNodeStore, watchers: readonly NSNodeWatcher[], clock: Clock) {
    this.#nodes = nodes;
    this.#watchers = watchers;
    this.#clock = clock;
  }

  /** A node connected or reported that it works. */
  async cameOnline(call: Call, { id, name, isOfflineTold }: NSNodeRow): Promise<void> {
    if (isOfflineTold === 0n) return;
    await this.#nodes.setOfflineTold.run(call, { id, isOfflineTold: false });
    for (const watcher of this.#watchers) await watcher.cameOnline?.(call, { id, name });
    call.log.info("a DNS node is back online", { nsNodeId: id, name });
  }

  /** A node was deleted. */
  async deleted(call: Call, nsNodeId: bigint): Promise<void> {
    for (const watcher of this.#watchers) await watcher.deleted?.(call, nsNodeId);
  }

  /** Looks for nodes that should be active and are not. */
  async watch(call: Call): Promise<void> {
    for (;;) {
      const told = await call.transact(async (inner) => {
        const before = unixSeconds(this.#clock) - SILENT_SECONDS;
        const gone = await this.#nodes.gone.all(inner, { before, limit: TOLD_AT_ONCE });
        for (const { id, name } of gone) {
          await this.#nodes.setOfflineTold.defer(inner, { id, isOfflineTold: true });
          await this.#nodes.setActive.defer(inner, { id, isActive: false });
          for (const watcher of this.#watchers) await watcher.wentOffline?.(inner, { id, name });
          inner.log.warn("a DNS node is offline", { nsNodeId: id, name });
        }
        return gone.length;
      });
      if (told < TOLD_AT_ONCE) return;
    }
  }
}
