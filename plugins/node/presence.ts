import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import { cameBack, wentOffline } from "./events.ts";
import { ACTIVE_SECONDS } from "./status.ts";
import type { NodeChanges } from "./store_changes.ts";
import type { NodeRow } from "./store_tables.ts";

const BATCH_SIZE = 500;

/** Emits an event when a node goes offline and when it is back, once each. */
export class Presence {
  readonly #changes: NodeChanges;
  readonly #clock: Clock;
  readonly #events: Events;

  constructor(changes: NodeChanges, clock: Clock, events: Events) {
    this.#changes = changes;
    this.#clock = clock;
    this.#events = events;
  }

  /** Must be called in the transaction in which a node reports that it is active. */
  async reported(call: Call, { id, name, nodeClusterId, isOfflineTold }: NodeRow): Promise<void> {
    if (isOfflineTold === 0n) return;
    await this.#changes.setOfflineTold.run(call, { id, isOfflineTold: false });
    await this.#events.emit(call, cameBack, { nodeId: id, name, nodeClusterId });
  }

  /** Finds nodes that went offline. A node that never reported is not among them. */
  async watch(call: Call): Promise<void> {
    for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
      const page = { activeSince: unixSeconds(this.#clock) - ACTIVE_SECONDS, limit: BATCH_SIZE };
      // before the transaction, which may not visit all nodes
      const ids = (await this.#changes.newlySilent.all(call, page)).map(({ id }) => id);
      if (ids.length === 0) return;
      count = ids.length;
      await call.transact(async (inner) => {
        const silent = await this.#changes.silentOf.all(inner, { ids, activeSince: page.activeSince });
        for (const { id, name, nodeClusterId, statusUpdatedAt } of silent) {
          await this.#changes.setOfflineTold.defer(inner, { id, isOfflineTold: true });
          const data = { nodeId: id, name, nodeClusterId, reportedAt: statusUpdatedAt };
          await this.#events.emit(inner, wentOffline, data);
        }
      });
    }
  }
}
