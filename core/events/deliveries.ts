import type { Call } from "../base/call.ts";
import { type Clock, type Timers, unixSeconds } from "../base/clock.ts";
import { RpcError } from "../base/errors.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Db } from "../storage/database.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { EventLog } from "./event_log.ts";
import type { EventListener } from "./events.ts";

/** The events of one transaction of a listener. */
const BATCH_SIZE = 50;
/** The attempts for an event that a listener cannot handle, before it is skipped. */
const MAX_ATTEMPTS = 10n;
const MAX_WAIT_SECONDS = 300n;
/** A new listener gets the events of this time. */
const CATCH_UP_SECONDS = 3600n;
const MAX_ERROR = 500;

export interface DeliveryDeps {
  readonly db: Db<KernelTables>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly systemCall: (name: string, deadline?: number) => Call;
  readonly events: EventLog;
  /** Complete when the first delivery begins. */
  readonly listeners: readonly EventListener[];
}

type Cursor = KernelTables["kernel_event_cursors"];

/**
 * Brings events to listeners. The place of a listener moves in the transaction in which it handles events, so that
 * several instances may deliver at once.
 */
export class Deliveries {
  readonly #deps: DeliveryDeps;
  readonly #find;
  readonly #store;
  #waking: Promise<void> | undefined;
  #isWokenAgain = false;
  #isStopped = false;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    const { db } = deps;
    this.#find = db.query((q, p: { listener: string }) =>
      q.selectFrom("kernel_event_cursors").selectAll().where("listener", "=", p.listener)
    );
    this.#store = db.query((q, p: Cursor) =>
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

  /** Lets what was emitted just now be delivered without waiting for the job. Several wishes at once are one. */
  wake(): void {
    if (this.#deps.listeners.length === 0 || this.#isStopped) return;
    if (this.#waking !== undefined) {
      this.#isWokenAgain = true;
      return;
    }
    this.#waking = this.#runNow().finally(() => {
      this.#waking = undefined;
      if (this.#isWokenAgain) this.wake();
    });
  }

  async #runNow(): Promise<void> {
    this.#isWokenAgain = false;
    try {
      await this.run(this.#deps.systemCall("kernel.deliver_events"));
    } catch (error) {
      // The job tries again.
      this.#deps.log.warn("events not delivered", { error: errorText(error) });
    }
  }

  /** Waits for the delivery that is under way, within a time limit, and begins no other one. */
  async stop(limitMilliseconds: number): Promise<void> {
    this.#isStopped = true;
    if (this.#waking === undefined) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = this.#deps.timers.after(limitMilliseconds, resolve);
    await Promise.race([this.#waking, late]);
    cancel();
  }

  /**
   * Delivers everything that is due, to one listener after another.
   *
   * @throws the first error for which no listener is to blame, after all listeners had their turn
   */
  async run(call: Call): Promise<void> {
    const errors: unknown[] = [];
    for (const listener of this.#deps.listeners) {
      try {
        while (!call.signal.aborted && !this.#isStopped && await this.#deliver(call, listener));
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Delivers one batch. Returns true if there may be more. */
  async #deliver(call: Call, listener: EventListener): Promise<boolean> {
    // A transaction without anything to do would still be a commit.
    if (!await this.#isDue(call, listener)) return false;
    let attempted: Cursor | undefined;
    try {
      return await call.transact(async (inner) => {
        attempted = await this.#cursor(inner, listener);
        return await this.#handle(inner, listener, attempted);
      });
    } catch (error) {
      // A database that is busy or away is no failure of the listener.
      if (attempted === undefined || call.signal.aborted || isOutage(error)) throw error;
      const { eventId, failures } = attempted;
      return await call.transact(async (inner) => {
        const cursor = await this.#cursor(inner, listener);
        // Another instance has handled the event meanwhile, or noted the failure of the same attempt.
        if (cursor.eventId !== eventId || cursor.failures !== failures) return true;
        return await this.#failed(inner, listener, cursor, error);
      });
    }
  }

  async #isDue(call: Call, { name }: EventListener): Promise<boolean> {
    const cursor = await this.#find.first(call, { listener: name });
    if (cursor !== undefined && cursor.retryAt > this.#now()) return false;
    return cursor === undefined || (await this.#deps.events.after(call, cursor.eventId, 1n)).length > 0;
  }

  async #handle(call: Call, listener: EventListener, cursor: Cursor): Promise<boolean> {
    if (cursor.retryAt > this.#now()) return false;
    // After a failure one at a time, so that those before the one that fails are not repeated.
    const size = cursor.failures > 0n ? 1 : BATCH_SIZE;
    const batch = await this.#deps.events.after(call, cursor.eventId, BigInt(size));
    for (const { event } of batch) {
      if (event !== undefined) await listener.handle(call, event);
    }
    const eventId = batch.at(-1)?.id ?? cursor.eventId;
    await this.#store.run(call, { listener: listener.name, eventId, failures: 0n, retryAt: 0n, error: "" });
    return batch.length === size;
  }

  /** Notes a failure. The event that cannot be handled after many attempts is skipped. */
  async #failed(call: Call, listener: EventListener, cursor: Cursor, error: unknown): Promise<boolean> {
    const failures = cursor.failures + 1n;
    const details = { listener: listener.name, error: errorText(error) };
    if (failures > MAX_ATTEMPTS) {
      const [next] = await this.#deps.events.after(call, cursor.eventId, 1n);
      this.#deps.log.error("event skipped", { ...details, event: next?.event?.kind.name, id: next?.id });
      const eventId = next?.id ?? cursor.eventId;
      await this.#store.run(call, { listener: listener.name, eventId, failures: 0n, retryAt: 0n, error: "" });
      return true;
    }
    this.#deps.log.warn("event not handled", { ...details, attempt: failures });
    // The first attempt was one for a whole batch.
    const seconds = failures === 1n ? 0n : 1n << (failures - 2n);
    await this.#store.run(call, {
      listener: listener.name,
      eventId: cursor.eventId,
      failures,
      retryAt: this.#now() + (seconds < MAX_WAIT_SECONDS ? seconds : MAX_WAIT_SECONDS),
      error: details.error.slice(0, MAX_ERROR),
    });
    return seconds === 0n;
  }

  async #cursor(call: Call, { name: listener }: EventListener): Promise<Cursor> {
    const found = await this.#find.first(call, { listener });
    if (found !== undefined) return found;
    const eventId = await this.#deps.events.lastBefore(call, this.#now() - CATCH_UP_SECONDS);
    return { listener, eventId, failures: 0n, retryAt: 0n, error: "" };
  }

  #now(): bigint {
    return unixSeconds(this.#deps.clock);
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof RpcError && (error.kind === "unavailable" || error.kind === "deadline");
}
