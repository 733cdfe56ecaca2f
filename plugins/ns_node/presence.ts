import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import { cameBack, wentOffline } from "./events.ts";
import type { NSNodeWatcher } from "./contract.ts";
import { ACTIVE_SECONDS } from "./rules.ts";
import type { NSNodeRow, NSNodeStore } from "./store.ts";

const BATCH_SIZE = 500;

/** Detects nodes that go offline and come back online, and notifies the watchers once of each. */
export class Presence {
  readonly #nodes: NSNodeStore;
  readonly #watchers: readonly NSNodeWatcher[];
  readonly #clock: Clock;
  readonly #events: Events;

  constructor(nodes: NSNodeStore, watchers: readonly NSNodeWatcher[], clock: Clock, events: Events) {
    this.#nodes = nodes;
    this.#watchers = watchers;
    this.#clock = clock;
    this.#events = events;
  }

  /** Must be called when a node connects or reports that it is active. */
  async cameOnline(call: Call, { id, name, isOfflineTold }: NSNodeRow): Promise<void> {
    if (isOfflineTold === 0n) return;
    await this.#nodes.setOfflineNotified.run(call, { id, isOfflineTold: false });
    await this.#events.emit(call, cameBack, { nsNodeId: id, name });
    for (const watcher of this.#watchers) await watcher.cameOnline?.(call, { id, name });
    call.log.info("DNS node back online", { nsNodeId: id, name });
  }

  /** Must be called when a node is deleted. */
  async deleted(call: Call, nsNodeId: bigint): Promise<void> {
    for (const watcher of this.#watchers) await watcher.deleted?.(call, nsNodeId);
  }

  /** Notifies the watchers of nodes that should be active but are not. */
  async watch(call: Call): Promise<void> {
    for (;;) {
      const count = await call.transact(async (inner) => {
        const activeSince = unixSeconds(this.#clock) - ACTIVE_SECONDS;
        const inactive = await this.#nodes.newlyInactive.all(inner, { activeSince, limit: BATCH_SIZE });
        for (const { id, name } of inactive) {
          await this.#nodes.setOfflineNotified.defer(inner, { id, isOfflineTold: true });
          await this.#nodes.setActive.defer(inner, { id, isActive: false });
          await this.#events.emit(inner, wentOffline, { nsNodeId: id, name });
          for (const watcher of this.#watchers) await watcher.wentOffline?.(inner, { id, name });
          inner.log.warn("DNS node offline", { nsNodeId: id, name });
        }
        return inactive.length;
      });
      if (count < BATCH_SIZE) return;
    }
  }
}
