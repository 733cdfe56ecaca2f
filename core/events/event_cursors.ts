import type { Call } from "../base/call.ts";
import type { Db } from "../storage/database.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";

/** The place of a listener in the sequence, and its failures with the next event. */
export type EventCursor = KernelTables["kernel_event_cursors"];

/** The places of listeners in the sequence of events. */
export class EventCursors {
  readonly #find;
  readonly #all;
  readonly #store;

  constructor(db: Db<KernelTables>) {
    this.#find = db.query((q, p: { listener: string }) =>
      q.selectFrom("kernel_event_cursors").selectAll().where("listener", "=", p.listener)
    );
    this.#all = db.query((q) => q.selectFrom("kernel_event_cursors").selectAll().orderBy("listener").limit(1000));
    this.#store = db.query((q, p: EventCursor) =>
      q.insertInto("kernel_event_cursors").values({
        listener: p.listener,
        eventId: p.eventId,
        failures: p.failures,
        retryAt: p.retryAt,
        error: p.error,
      }).onConflict((conflict) =>
        conflict.column("listener").doUpdateSet({
          eventId: p.eventId,
          failures: p.failures,
          retryAt: p.retryAt,
          error: p.error,
        })
      )
    );
  }

  async find(call: Call, listener: string): Promise<EventCursor | undefined> {
    return await this.#find.first(call, { listener });
  }

  async all(call: Call): Promise<readonly EventCursor[]> {
    return await this.#all.all(call, {});
  }

  async store(call: Call, cursor: EventCursor): Promise<void> {
    await this.#store.run(call, cursor);
  }
}
