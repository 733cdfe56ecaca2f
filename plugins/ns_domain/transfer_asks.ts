import { anyOf, type Call, type Clock, type Db, unixSeconds } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import { inBatches } from "edgehelm/storage";
import type { UserRemoval } from "../user/contract.ts";
import { transferAsked } from "./events.ts";
import type { NSDomainRow, Tables } from "./store_tables.ts";

/** After this time, another ask of the same user for the same domain is an event again. */
const REPEAT_SECONDS = 86_400n;
const DELETE_BATCH_SIZE = 1000;

/** A domain that is verified for an owner whom another one asks for it. */
export type HeldDomain = Pick<NSDomainRow, "id" | "name" | "userId">;

/** Emits that a user wants a domain of another owner: once a day for each, so that these events cannot flood an owner. */
export class TransferAsks implements UserRemoval {
  readonly #store: ReturnType<typeof askStore>;
  readonly #events: Events;
  readonly #clock: Clock;

  constructor(db: Db<Tables>, events: Events, clock: Clock) {
    this.#store = askStore(db);
    this.#events = events;
    this.#clock = clock;
  }

  /** Returns true if the ask is an event: the user has not asked for this domain within a day. */
  async isNew(call: Call, held: HeldDomain, userId: bigint): Promise<boolean> {
    const last = await this.#store.find.first(call, { nsDomainId: held.id, userId });
    return last === undefined || last.askedAt <= unixSeconds(this.#clock) - REPEAT_SECONDS;
  }

  /** Emits the ask of the owner of the new domain, in the transaction of the call, if it is an event. */
  async asked(call: Call, held: HeldDomain, { id, userId }: Pick<NSDomainRow, "id" | "userId">): Promise<void> {
    if (!await this.isNew(call, held, userId)) return;
    await this.#store.set.run(call, { nsDomainId: held.id, userId, askedAt: unixSeconds(this.#clock) });
    const data = { nsDomainId: held.id, name: held.name, newNSDomainId: id };
    await this.#events.emit(call, transferAsked, data, held.userId);
  }

  /** Deletes asks that no longer keep another one from being an event. */
  async removeOld(call: Call): Promise<void> {
    const before = unixSeconds(this.#clock) - REPEAT_SECONDS;
    await inBatches(call, DELETE_BATCH_SIZE, (inner, limit) => this.#store.removeSome.run(inner, { before, limit }));
  }

  async removeSome(call: Call, userId: bigint, limit: number): Promise<number> {
    const ids = (await this.#store.someOfUser.all(call, { userId, limit })).map(({ id }) => id);
    if (ids.length > 0) await this.#store.removeAll.run(call, { ids });
    return ids.length;
  }
}

function askStore(db: Db<Tables>) {
  return {
    find: db.query((q, p: { nsDomainId: bigint; userId: bigint }) =>
      q.selectFrom("nsDomainTransferAsks").select("askedAt").where("nsDomainId", "=", p.nsDomainId)
        .where("userId", "=", p.userId)
    ),
    set: db.query((q, p: { nsDomainId: bigint; userId: bigint; askedAt: bigint }) =>
      q.insertInto("nsDomainTransferAsks").values({ nsDomainId: p.nsDomainId, userId: p.userId, askedAt: p.askedAt })
        .onConflict((conflict) => conflict.columns(["nsDomainId", "userId"]).doUpdateSet({ askedAt: p.askedAt }))
    ),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.selectFrom("nsDomainTransferAsks").select("id").where("userId", "=", p.userId).limit(p.limit)
    ),
    removeAll: db.query((q, p: { ids: readonly bigint[] }) =>
      q.deleteFrom("nsDomainTransferAsks").where("id", "in", anyOf(p.ids))
    ),
    removeSome: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("nsDomainTransferAsks").where(
        "id",
        "in",
        (asks) => asks.selectFrom("nsDomainTransferAsks").select("id").where("askedAt", "<=", p.before).limit(p.limit),
      )
    ),
  };
}
