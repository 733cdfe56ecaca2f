import { type Call, type Db, distinct } from "edgehelm";
import type { UserStates } from "../user/contract.ts";
import { type PublishingStore, publishingStore } from "./store_publishing.ts";
import type { NSDomainFeed, NSDomainRow, Tables } from "./store_tables.ts";

/** The number of domains that get new versions in one transaction: small enough not to delay other writers. */
const BATCH_SIZE = 500;
/** The same for a user whose state changes, perhaps with that of many others. */
const MAX_AT_ONCE = 50;

type Servable = Pick<NSDomainRow, "userId" | "isOn" | "status" | "state">;

/** Tells which domains DNS nodes may answer for: the guide core/guides/dns_states.md has the rule. */
export class Serving {
  readonly #states: UserStates | undefined;

  constructor(states: UserStates | undefined) {
    this.#states = states;
  }

  /** Returns a function that tells whether a domain may be on nodes at all: it is then served unless it is off. */
  async admitted(call: Call, rows: readonly Servable[]): Promise<(row: Servable) => boolean> {
    const candidates = rows.filter(({ userId, status, state }) =>
      userId !== 0n && status === "verified" && state === 1n
    );
    const owners = distinct(candidates.map(({ userId }) => userId));
    const served = owners.length === 0 ? undefined : await this.#states?.allowed(call, owners, "serve_dns");
    return ({ userId, status, state }) =>
      state === 1n && status === "verified" && (userId === 0n || served === undefined || served.has(userId));
  }
}

/** Gives the domains of owners whose state changed new versions, so that nodes fetch them again. */
export class Republishing {
  readonly #store: PublishingStore;
  readonly #states: UserStates | undefined;

  constructor(db: Db<Tables>, feed: NSDomainFeed, states: UserStates | undefined) {
    this.#store = publishingStore(db, feed);
    this.#states = states;
  }

  /** Publishes the domains of a user at once if they are few; otherwise the job does. */
  async ownerChanged(call: Call, userId: bigint): Promise<void> {
    const found = await this.#store.ofUser.all(call, { userId, after: 0n, limit: MAX_AT_ONCE + 1 });
    if (found.length > MAX_AT_ONCE) await this.#store.publishLater.run(call, { userId });
    else await this.#store.publish(call, found.map(({ id }) => id));
  }

  /**
   * Publishes the domains of the owners that wait, in batches. It can be interrupted at any point: an unfinished owner
   * stays in the table, and publishing domains again is harmless.
   */
  async publishWaiting(call: Call): Promise<void> {
    for (;;) {
      const waiting = await this.#store.waitingOwners.all(call, { limit: BATCH_SIZE });
      if (waiting.length === 0) return;
      const owners = waiting.filter(({ onlyIfNotServed }) => onlyIfNotServed === 1n).map(({ userId }) => userId);
      const served = owners.length === 0 ? undefined : await this.#states?.allowed(call, owners, "serve_dns");
      for (const { userId, onlyIfNotServed } of waiting) {
        const isCurrent = onlyIfNotServed === 1n && (served === undefined || served.has(userId));
        if (!isCurrent) await this.#publishOwner(call, userId);
      }
      await call.transact(async (inner) => {
        for (const owner of waiting) await this.#store.endWaiting.run(inner, owner);
      });
    }
  }

  async #publishOwner(call: Call, userId: bigint): Promise<void> {
    let after: bigint | undefined = 0n;
    while (after !== undefined) {
      const start: bigint = after;
      after = await call.transact(async (inner) => {
        const found = await this.#store.ofUser.all(inner, { userId, after: start, limit: BATCH_SIZE });
        await this.#store.publish(inner, found.map(({ id }) => id));
        return found.length < BATCH_SIZE ? undefined : found.at(-1)!.id;
      });
    }
  }
}
