import type { Call, Db } from "edgehelm";
import type { LogStore } from "./contract/log_store.ts";

export interface RemovalTables {
  httpAccessLogRemovals: { userId: bigint };
}

/** Small enough not to block other writers for long. */
const BATCH = 1000;

/** Deletes the logs of deleted users: noted in the transaction that deletes the user, carried out by a job later. */
export class UserLogRemovals {
  readonly #logs: LogStore;
  readonly #note;
  readonly #first;
  readonly #forget;

  constructor(db: Db<RemovalTables>, logs: LogStore) {
    this.#logs = logs;
    this.#note = db.query((q, p: { userId: bigint }) =>
      q.insertInto("httpAccessLogRemovals").values({ userId: p.userId }).onConflict((conflict) => conflict.doNothing())
    );
    this.#first = db.query((q, _none: object) =>
      q.selectFrom("httpAccessLogRemovals").select("userId").orderBy("userId").limit(1)
    );
    this.#forget = db.query((q, p: { userId: bigint }) =>
      q.deleteFrom("httpAccessLogRemovals").where("userId", "=", p.userId)
    );
  }

  async note(call: Call, userId: bigint): Promise<void> {
    await this.#note.run(call, { userId });
  }

  /** Deletes the logs of all noted users in batches. */
  async run(call: Call): Promise<void> {
    for (let next = await this.#first.first(call, {}); next !== undefined; next = await this.#first.first(call, {})) {
      const { userId } = next;
      while (await this.#logs.removeOfUser(call, userId, BATCH) >= BATCH) {
        call.signal.throwIfAborted();
      }
      await call.transact((inner) => this.#forget.run(inner, { userId }));
    }
  }
}
