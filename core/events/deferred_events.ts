import type { Call } from "../base/call.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Db } from "../storage/database.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import { anyOf } from "../storage/parameters.ts";

/** The time for which an event waits for an instance that knows its kind. */
const KEPT_SECONDS = 86_400n;
const PRUNE_BATCH_SIZE = 1000n;

/** An event that a listener gets later, and its failures with it. */
export type DeferredEvent = KernelTables["kernel_deferred_events"];

/** The events that instances without their kind left to others, such as those of a newer release during an upgrade. */
export class DeferredEvents {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #isOfUse: boolean;
  readonly #insert;
  readonly #next;
  readonly #find;
  readonly #fail;
  readonly #delete;
  readonly #oldest;
  readonly #events;

  /** @param known the names of the kinds that this instance knows */
  constructor(db: Db<KernelTables>, clock: Clock, log: Logger, known: readonly string[]) {
    this.#clock = clock;
    this.#log = log;
    this.#isOfUse = known.length > 0;
    this.#insert = db.query((q, p: { listener: string; eventId: bigint }) =>
      q.insertInto("kernel_deferred_events").values({
        listener: p.listener,
        eventId: p.eventId,
        failures: 0n,
        retryAt: 0n,
        error: "",
      }).onConflict((conflict) => conflict.doNothing())
    );
    this.#next = db.query((q, p: { listener: string; now: bigint; since: bigint }) =>
      q.selectFrom("kernel_deferred_events as deferred")
        .innerJoin("kernel_events as event", "event.id", "deferred.eventId")
        .selectAll("deferred")
        .where("deferred.listener", "=", p.listener)
        .where("deferred.retryAt", "<=", p.now)
        .where("event.createdAt", ">=", p.since)
        .where("event.name", "in", known)
        .orderBy("deferred.eventId").limit(1)
    );
    this.#find = db.query((q, p: { listener: string; eventId: bigint }) =>
      q.selectFrom("kernel_deferred_events").selectAll()
        .where("listener", "=", p.listener).where("eventId", "=", p.eventId)
    );
    this.#fail = db.query((q, p: DeferredEvent) =>
      q.updateTable("kernel_deferred_events")
        .set({ failures: p.failures, retryAt: p.retryAt, error: p.error })
        .where("listener", "=", p.listener).where("eventId", "=", p.eventId)
    );
    this.#delete = db.query((q, p: { listener: string; eventId: bigint }) =>
      q.deleteFrom("kernel_deferred_events").where("listener", "=", p.listener).where("eventId", "=", p.eventId)
    );
    this.#oldest = db.query((q) =>
      q.selectFrom("kernel_deferred_events").select(["listener", "eventId"]).orderBy("eventId").limit(PRUNE_BATCH_SIZE)
    );
    this.#events = db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("kernel_events").select(["id", "name", "createdAt"]).where("id", "in", anyOf(p.ids))
    );
  }

  /** Leaves an event to instances that know its kind. */
  async defer(call: Call, listener: string, eventId: bigint): Promise<void> {
    await this.#insert.run(call, { listener, eventId });
  }

  /** Returns the first event that is due for a listener and whose kind this instance knows. */
  async next(call: Call, listener: string): Promise<DeferredEvent | undefined> {
    if (!this.#isOfUse) return undefined;
    const now = unixSeconds(this.#clock);
    return await this.#next.first(call, { listener, now, since: now - KEPT_SECONDS });
  }

  /** Returns an event that was deferred; undefined if the listener has had it meanwhile. */
  async find(call: Call, { listener, eventId }: DeferredEvent): Promise<DeferredEvent | undefined> {
    return await this.#find.first(call, { listener, eventId });
  }

  async fail(call: Call, deferred: DeferredEvent): Promise<void> {
    await this.#fail.run(call, deferred);
  }

  async delete(call: Call, { listener, eventId }: Pick<DeferredEvent, "listener" | "eventId">): Promise<void> {
    await this.#delete.run(call, { listener, eventId });
  }

  /** Drops events that no instance knew in time. Returns true if there may be more. */
  async prune(call: Call): Promise<boolean> {
    const before = unixSeconds(this.#clock) - KEPT_SECONDS;
    const oldest = await this.#oldest.all(call, {});
    const found = await this.#events.all(call, { ids: oldest.map(({ eventId }) => eventId) });
    const events = new Map(found.map((event) => [event.id, event]));
    const expired = oldest.filter(({ eventId }) => (events.get(eventId)?.createdAt ?? 0n) < before);
    for (const { listener, eventId } of expired) {
      await this.#delete.run(call, { listener, eventId });
      this.#log.error("event dropped: no instance knows its kind", {
        listener,
        id: eventId,
        event: events.get(eventId)?.name,
      });
    }
    return BigInt(expired.length) === PRUNE_BATCH_SIZE;
  }
}
