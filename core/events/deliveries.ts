import type { Call } from "../base/call.ts";
import { type Clock, type Timers, unixSeconds } from "../base/clock.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Db } from "../storage/database.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import { Attempt } from "./attempt.ts";
import { type DeferredEvent, DeferredEvents } from "./deferred_events.ts";
import { type EventCursor, EventCursors } from "./event_cursors.ts";
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

/**
 * Brings events to listeners. The place of a listener moves in the transaction in which it handles events, so that
 * several instances may deliver at once.
 */
export class Deliveries {
  readonly #deps: DeliveryDeps;
  readonly #cursors: EventCursors;
  readonly #deferred: DeferredEvents;
  #waking: Promise<void> | undefined;
  #isWokenAgain = false;
  #isStopped = false;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    const { db, clock, log, events } = deps;
    this.#cursors = new EventCursors(db);
    this.#deferred = new DeferredEvents(db, clock, log, events.kindNames);
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
    const mayGoOn = () => !call.signal.aborted && !this.#isStopped;
    for (const listener of this.#deps.listeners) {
      try {
        while (mayGoOn() && await this.#deliverDeferred(call, listener));
        while (mayGoOn() && await this.#deliver(call, listener));
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Drops events that no instance knew in time. */
  prune(call: Call): Promise<boolean> {
    return this.#deferred.prune(call);
  }

  /** Returns the listeners with the time of the oldest event that each of them has not had, in unix seconds. */
  async waiting(call: Call): Promise<readonly { readonly listener: string; readonly since: bigint }[]> {
    const waiting: { listener: string; since: bigint }[] = [];
    for (const { name: listener } of this.#deps.listeners) {
      const cursor = await this.#cursor(call, listener);
      const [next] = await this.#deps.events.after(call, cursor.eventId, 1n);
      if (next !== undefined) waiting.push({ listener, since: next.createdAt });
    }
    return waiting;
  }

  /** Delivers one batch. Returns true if there may be more. */
  async #deliver(call: Call, listener: EventListener): Promise<boolean> {
    // A transaction without anything to do would still be a commit.
    if (!await this.#isDue(call, listener)) return false;
    const attempt = new Attempt(listener, (inner) => this.#cursors.find(inner, listener.name));
    let attempted: EventCursor | undefined;
    try {
      return await call.transact(async (inner) => {
        attempted = await this.#cursor(inner, listener.name);
        return await this.#handle(inner, attempt, attempted);
      });
    } catch (error) {
      const failure = attempt.failure(error);
      if (attempted === undefined || call.signal.aborted || failure === undefined) throw error;
      const { eventId, failures } = attempted;
      return await call.transact(async (inner) => {
        const cursor = await this.#cursor(inner, listener.name);
        // Another instance has handled the event meanwhile, or noted the failure of the same attempt.
        if (cursor.eventId !== eventId || cursor.failures !== failures) return true;
        return await this.#failed(inner, cursor, failure.cause);
      });
    }
  }

  async #isDue(call: Call, { name }: EventListener): Promise<boolean> {
    const cursor = await this.#cursors.find(call, name);
    if (cursor !== undefined && cursor.retryAt > this.#now()) return false;
    return cursor === undefined || (await this.#deps.events.after(call, cursor.eventId, 1n)).length > 0;
  }

  async #handle(call: Call, attempt: Attempt, cursor: EventCursor): Promise<boolean> {
    if (cursor.retryAt > this.#now()) return false;
    const { listener } = cursor;
    // After a failure one at a time, so that those before the one that fails are not repeated.
    const size = cursor.failures > 0n ? 1 : BATCH_SIZE;
    const batch = await this.#deps.events.after(call, cursor.eventId, BigInt(size));
    for (const { id, read } of batch) {
      if (read === undefined) await this.#deferred.defer(call, listener, id);
      else await attempt.handle(call, read);
    }
    const eventId = batch.at(-1)?.id ?? cursor.eventId;
    await this.#cursors.store(call, { listener, eventId, failures: 0n, retryAt: 0n, error: "" });
    return batch.length === size;
  }

  /** Notes a failure. The event that cannot be handled after many attempts is skipped. */
  async #failed(call: Call, cursor: EventCursor, error: unknown): Promise<boolean> {
    const { listener } = cursor;
    const failures = cursor.failures + 1n;
    if (failures > MAX_ATTEMPTS) {
      const [next] = await this.#deps.events.after(call, cursor.eventId, 1n);
      this.#skipped(listener, error, next);
      const eventId = next?.id ?? cursor.eventId;
      await this.#cursors.store(call, { listener, eventId, failures: 0n, retryAt: 0n, error: "" });
      return true;
    }
    // The first attempt was one for a whole batch.
    const seconds = failures === 1n ? 0n : waitAfter(failures - 1n);
    await this.#cursors.store(call, { ...cursor, ...this.#retry(listener, failures, seconds, error) });
    return seconds === 0n;
  }

  /** Delivers one event that an instance left to others. Returns true if there may be more. */
  async #deliverDeferred(call: Call, listener: EventListener): Promise<boolean> {
    const next = await this.#deferred.next(call, listener.name);
    if (next === undefined) return false;
    const attempt = new Attempt(listener, (inner) => this.#deferred.find(inner, next));
    try {
      await call.transact(async (inner) => {
        // Another instance has handled it meanwhile, or failed.
        if ((await this.#deferred.find(inner, next))?.failures !== next.failures) return;
        const event = await this.#deps.events.find(inner, next.eventId);
        if (event?.read !== undefined) await attempt.handle(inner, event.read);
        await this.#deferred.delete(inner, next);
      });
    } catch (error) {
      const failure = attempt.failure(error);
      if (call.signal.aborted || failure === undefined) throw error;
      await call.transact((inner) => this.#deferredFailed(inner, next, failure.cause));
    }
    return true;
  }

  async #deferredFailed(call: Call, attempted: DeferredEvent, error: unknown): Promise<void> {
    const found = await this.#deferred.find(call, attempted);
    if (found === undefined || found.failures !== attempted.failures) return;
    const failures = found.failures + 1n;
    if (failures > MAX_ATTEMPTS) {
      this.#skipped(found.listener, error, await this.#deps.events.find(call, found.eventId));
      await this.#deferred.delete(call, found);
    } else {
      const retry = this.#retry(found.listener, failures, waitAfter(failures), error);
      await this.#deferred.fail(call, { ...found, ...retry });
    }
  }

  #retry(listener: string, failures: bigint, seconds: bigint, error: unknown) {
    const text = errorText(error);
    this.#deps.log.warn("event not handled", { listener, error: text, attempt: failures });
    return { failures, retryAt: this.#now() + seconds, error: text.slice(0, MAX_ERROR) };
  }

  #skipped(listener: string, error: unknown, event: { readonly id: bigint; readonly name: string } | undefined): void {
    const details = { listener, error: errorText(error), event: event?.name, id: event?.id };
    this.#deps.log.error("event skipped", details);
  }

  async #cursor(call: Call, listener: string): Promise<EventCursor> {
    const found = await this.#cursors.find(call, listener);
    if (found !== undefined) return found;
    const eventId = await this.#deps.events.lastBefore(call, this.#now() - CATCH_UP_SECONDS);
    return { listener, eventId, failures: 0n, retryAt: 0n, error: "" };
  }

  #now(): bigint {
    return unixSeconds(this.#deps.clock);
  }
}

/** Returns the seconds to wait after a number of failures: twice as long after each. */
function waitAfter(failures: bigint): bigint {
  const seconds = 1n << (failures - 1n);
  return seconds < MAX_WAIT_SECONDS ? seconds : MAX_WAIT_SECONDS;
}
