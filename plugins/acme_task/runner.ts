import { type Call, type Clock, RpcError, unixSeconds } from "edgehelm";
import { randomAlphanumerics } from "edgehelm/auth";
import type { Timers } from "edgehelm/runtime";
import { ACMEError } from "../acme_provider/contract/acme_error.ts";
import { errors } from "./errors.ts";
import type { Claim, OrderSteps } from "./order_steps.ts";
import type { Results } from "./results.ts";
import type { OrderStore } from "./store_orders.ts";
import type { OrderRow, TaskRow } from "./store_tables.ts";
import type { TaskStore } from "./store.ts";

/** The time after which another instance continues the task of one that died. */
const CLAIM_SECONDS = 60n;
/** The interval in which a running task prolongs its claim, because a step can take longer. */
const HEARTBEAT_MILLISECONDS = 10_000;
const CLAIM_LENGTH = 24;
const MAX_AT_ONCE = 100;

export interface RunnerDeps {
  readonly tasks: TaskStore;
  readonly orders: OrderStore;
  readonly steps: OrderSteps;
  readonly results: Results;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly systemCall: (name: string) => Call;
}

/**
 * Runs tasks. Every step is stored before and after the provider is asked, and all transactions of a run require that the
 * task is still claimed by it, so that another instance can continue an order and two never place one each.
 */
export class Runner {
  readonly #deps: RunnerDeps;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Runs the tasks that are due. */
  async runDue(call: Call): Promise<void> {
    const due = await this.#deps.tasks.due.all(call, { now: this.#now(), limit: MAX_AT_ONCE });
    for (const { id } of due) {
      call.signal.throwIfAborted();
      await this.run(call, id);
    }
  }

  /** Takes the steps of a task that are due. Does nothing if another run has claimed it. */
  async run(call: Call, id: bigint): Promise<void> {
    const { tasks } = this.#deps;
    const claim = randomAlphanumerics(CLAIM_LENGTH);
    const now = this.#now();
    const claimed = await call.transact((inner) =>
      tasks.claim.run(inner, { id, claim, now, until: now + CLAIM_SECONDS })
    );
    if (claimed === 0n) return;
    const endHeartbeat = this.#beginHeartbeat(id, claim);
    try {
      while (await this.#runStep(call, id, claim));
    } finally {
      endHeartbeat();
      // also when the call of this run has ended
      await this.#deps.systemCall("acme_task.release").transact((inner) => tasks.release.run(inner, { id, claim }));
    }
  }

  /** Returns true if the next step is due at once. */
  async #runStep(call: Call, id: bigint, name: string): Promise<boolean> {
    const { tasks, orders, steps, results } = this.#deps;
    const [task] = await tasks.byIds.all(call, { ids: [id] });
    if (task === undefined || task.isOn === 0n || task.dueAt === 0n || task.dueAt > this.#now()) return false;
    const claim = this.#claim(call, id, name);
    const order = await orders.open.first(call, { acmeTaskId: id });
    try {
      await steps.take(call, claim, task, order);
      return true;
    } catch (error) {
      if (call.signal.aborted || !isResult(error)) throw error;
      await claim((inner) => this.#store(inner, results, task, error));
      return false;
    }
  }

  /** Stores an error for the people who look at the task. */
  async #store(call: Call, results: Results, task: TaskRow, error: ACMEError | RpcError): Promise<void> {
    const order: OrderRow | undefined = await this.#deps.orders.open.first(call, { acmeTaskId: task.id });
    const isTemporary = error instanceof ACMEError && error.isTemporary;
    if (!isTemporary) return await results.failed(call, task, order, error.message);
    await results.delayed(call, task, error.message, error.retryAfterSeconds);
  }

  /** Prolongs the claim of a run until the returned function is called. */
  #beginHeartbeat(id: bigint, claim: string): () => void {
    const { tasks, timers, systemCall } = this.#deps;
    let hasEnded = false;
    let cancel = () => {};
    const beat = async () => {
      const prolong = (call: Call) => tasks.keepClaim.run(call, { id, claim, until: this.#now() + CLAIM_SECONDS });
      // A beat that fails is made up for by the next one; a claim that was lost refuses every transaction of the run.
      await systemCall("acme_task.heartbeat").transact(prolong).catch(() => {});
      schedule();
    };
    const schedule = () => {
      if (!hasEnded) cancel = timers.after(HEARTBEAT_MILLISECONDS, () => void beat());
    };
    schedule();
    return () => {
      hasEnded = true;
      cancel();
    };
  }

  #claim(call: Call, id: bigint, claim: string): Claim {
    return (work) =>
      call.transact(async (inner) => {
        const until = this.#now() + CLAIM_SECONDS;
        if (await this.#deps.tasks.keepClaim.run(inner, { id, claim, until }) === 0n) throw errors.taken_over(id);
        return await work(inner);
      });
  }

  #now(): bigint {
    return unixSeconds(this.#deps.clock);
  }
}

/** True for what the provider or a rule says, which is a result; everything else is a defect or an outage of ours. */
function isResult(error: unknown): error is ACMEError | RpcError {
  return error instanceof ACMEError || error instanceof RpcError && RESULT_KINDS.has(error.kind) &&
      error.reason !== errors.taken_over(0n).reason;
}

const RESULT_KINDS: ReadonlySet<string> = new Set(["invalid", "not_found", "conflict", "exhausted"]);
