import { type Call, type Clock, unixSeconds } from "edgehelm";
import { dayAt } from "edgehelm/fields";
import type { Events } from "edgehelm/runtime";
import { certExpiring, certFailed, certIssued } from "./event_kinds.ts";
import type { Proofs } from "./proofs.ts";
import { repeatSeconds, retrySeconds } from "./schedule.ts";
import type { OrderStore } from "./store_orders.ts";
import type { OrderRow, TaskRow } from "./store_tables.ts";
import type { TaskStore } from "./store.ts";

const MAX_ERROR = 1000;
/** A certificate that should have been renewed by then is reported. */
const EXPIRING_SECONDS = 14n * 86_400n;
const MAX_EXPIRING = 100;
/** The same temporary error is recorded again after this time. */
const REPEAT_LOG_SECONDS = 86_400n;

export interface ResultDeps {
  readonly tasks: TaskStore;
  readonly orders: OrderStore;
  readonly proofs: Proofs;
  readonly events: Events;
  readonly clock: Clock;
}

/** Records how orders end, for people and for what listens. */
export class Results {
  readonly #deps: ResultDeps;

  constructor(deps: ResultDeps) {
    this.#deps = deps;
  }

  /** Ends an order with a certificate. */
  async issued(
    call: Call,
    task: TaskRow,
    order: OrderRow,
    certificate: { readonly sslCertId: bigint; readonly timeEndAt: bigint; readonly renewalAt: bigint },
  ): Promise<void> {
    const { tasks, events } = this.#deps;
    const { sslCertId, timeEndAt, renewalAt } = certificate;
    await this.endOrder(call, order);
    const dueAt = task.autoRenew === 1n ? renewalAt : 0n;
    await tasks.issued.run(call, { id: task.id, sslCertId, timeEndAt, dueAt });
    await this.#log(call, task.id, true, "");
    const data = { acmeTaskId: task.id, sslCertId, names: namesOf(task), until: this.#day(timeEndAt) };
    await events.emit(call, certIssued, data, task.userId);
  }

  /** Ends an order, or an attempt to begin one, with an error that a repetition at once would not change. */
  async failed(call: Call, task: TaskRow, order: OrderRow | undefined, text: string): Promise<void> {
    const error = text.slice(0, MAX_ERROR);
    const failures = task.failures + 1n;
    if (order !== undefined) await this.endOrder(call, order);
    const dueAt = task.autoRenew === 1n ? this.#now() + repeatSeconds(failures) : 0n;
    await this.#deps.tasks.failed.run(call, { id: task.id, dueAt, failures });
    await this.#log(call, task.id, false, error);
    const data = { acmeTaskId: task.id, names: namesOf(task), error };
    await this.#deps.events.emit(call, certFailed, data, task.userId);
  }

  /** Records that a step did not succeed for now; the order stays. */
  async delayed(call: Call, task: TaskRow, text: string, seconds: number | undefined): Promise<void> {
    const { tasks, orders } = this.#deps;
    const error = text.slice(0, MAX_ERROR);
    const attempts = task.attempts + 1n;
    const wait = seconds === undefined ? retrySeconds(attempts) : BigInt(seconds);
    await tasks.delayed.run(call, { id: task.id, attempts, dueAt: this.#now() + wait });
    const [latest] = await orders.latestLogs.all(call, { acmeTaskIds: [task.id] });
    const isKnown = latest?.error === error && latest.createdAt > this.#now() - REPEAT_LOG_SECONDS;
    if (!isKnown) await this.#log(call, task.id, false, error);
  }

  /** Ends an order, and removes what it published. */
  async endOrder(call: Call, order: OrderRow): Promise<void> {
    await this.#deps.proofs.remove(call, order);
    await this.#deps.orders.end.run(call, { id: order.id });
  }

  /** Reports each certificate that expires soon, once. */
  async reportExpiring(call: Call): Promise<void> {
    const now = this.#now();
    const window = { now, before: now + EXPIRING_SECONDS, limit: MAX_EXPIRING };
    for (const task of await this.#deps.tasks.expiring.all(call, window)) {
      const { id, sslCertId, timeEndAt, userId } = task;
      await call.transact(async (inner) => {
        await this.#deps.tasks.warned.run(inner, { id, warnedFor: timeEndAt });
        const data = { acmeTaskId: id, sslCertId, names: namesOf(task), until: this.#day(timeEndAt) };
        await this.#deps.events.emit(inner, certExpiring, data, userId);
      });
    }
  }

  async #log(call: Call, acmeTaskId: bigint, isOk: boolean, error: string): Promise<void> {
    await this.#deps.orders.insertLog.run(call, { acmeTaskId, isOk, error, createdAt: this.#now() });
    await this.#deps.orders.pruneLogs.run(call, { acmeTaskId });
  }

  #now(): bigint {
    return unixSeconds(this.#deps.clock);
  }

  #day(seconds: bigint): string {
    return dayAt(this.#deps.clock, seconds);
  }
}

function namesOf({ domains }: TaskRow): string {
  return (JSON.parse(domains) as string[]).join(", ");
}
