import type { Call, Caller } from "../base/call.ts";
import { OUTCOME_UNKNOWN, RpcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { RequestScope } from "./request_scope.ts";
import type { Session, StorageEngine } from "./engine.ts";

/** What a call may do when asked to transact. */
export interface Transactions {
  readonly engine: StorageEngine;
  /** Runs inside every transaction of the call, after its work and before COMMIT. */
  readonly beforeCommit?: (call: Call) => Promise<void>;
  /** False for operations that promised not to write. */
  readonly mayWrite: boolean;
}

/** The kernel's Call: knows its session, and refuses to be used outside its time. */
export class KernelCall implements Call {
  readonly #scope: RequestScope;
  readonly #transactions: Transactions;
  #session: Session | undefined;
  /** True while an inner transaction runs: then only the inner call may be used. */
  #lent = false;
  #hasCommitted = false;
  #joinedFailure: { readonly error: unknown } | undefined;
  #afterCommit: (() => void)[] | undefined;

  constructor(scope: RequestScope, session: Session, transactions: Transactions) {
    this.#scope = scope;
    this.#session = session;
    this.#transactions = transactions;
  }

  get caller(): Caller {
    return this.#scope.caller;
  }
  get requestId(): string {
    return this.#scope.requestId;
  }
  get remoteAddress(): string | undefined {
    return this.#scope.remoteAddress;
  }
  get deadline(): number {
    return this.#scope.deadline;
  }
  get signal(): AbortSignal {
    return this.#scope.signal;
  }
  get log(): Logger {
    return this.#scope.log;
  }
  get inTransaction(): boolean {
    return this.#lent || this.#session?.writable === true;
  }
  get engine(): StorageEngine {
    return this.#transactions.engine;
  }

  /** The session of this call, for the database layer. */
  get session(): Session {
    if (this.#session === undefined) throw new Error("this call has ended: its transaction is over");
    if (this.#lent) throw new Error("this call is inside a transaction of its own: use the call that transact gave");
    return this.#session;
  }

  async transact<Result>(work: (call: Call) => Promise<Result>): Promise<Result> {
    if (this.session.writable) return await this.#join(work);
    const { mayWrite } = this.#transactions;
    if (!mayWrite) throw new Error(`${this.#scope.operation} declares the effect READ and may not write`);
    this.#lent = true;
    try {
      const result = await transaction(this.#scope, this.#transactions, async (inner) => {
        this.#requireTime();
        const result = await work(inner);
        this.#requireTime();
        return result;
      });
      this.#hasCommitted = true;
      return result;
    } catch (error) {
      this.#hasCommitted ||= error instanceof RpcError && error.reason === OUTCOME_UNKNOWN;
      throw error;
    } finally {
      this.#lent = false;
    }
  }

  /** Whether a transaction that this call opened is durable, or may be: nobody can tell after a lost answer to COMMIT. */
  get hasCommitted(): boolean {
    return this.#hasCommitted;
  }

  /** What fails inside a joined transaction cannot be undone alone, so it undoes the whole, even when it is caught. */
  async #join<Result>(work: (call: Call) => Promise<Result>): Promise<Result> {
    try {
      return await work(this);
    } catch (error) {
      this.#joinedFailure ??= { error };
      throw error;
    }
  }

  /** Throws what failed in a joined transaction. */
  requireWhole(): void {
    if (this.#joinedFailure !== undefined) throw this.#joinedFailure.error;
  }

  /** Refuses what its handler started and did not wait for. */
  #requireTime(): void {
    if (this.#session === undefined) throw new Error("this call has ended: its transaction was not waited for");
  }

  fetch(input: string | URL, init: RequestInit = {}): Promise<Response> {
    refuseInTransaction(this, "fetch");
    return fetch(input, { signal: this.signal, ...init });
  }

  /** Runs `act` once the transaction is durable and before its answer leaves; never when it is undone. */
  afterCommit(act: () => void): void {
    if (!this.session.writable) throw new Error("afterCommit outside a transaction");
    (this.#afterCommit ??= []).push(act);
  }

  /** Nothing can be read or written through this call any more. Answers what is to run after COMMIT. */
  end(): readonly (() => void)[] {
    this.#session = undefined;
    return this.#afterCommit ?? [];
  }
}

/** Runs `work` in one write transaction, with a call that lives as long as it. */
export async function transaction<Result>(
  scope: RequestScope,
  transactions: Transactions,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  let afterCommit: readonly (() => void)[] = [];
  const result = await transactions.engine.write(async (session) => {
    const call = new KernelCall(scope, session, transactions);
    try {
      const result = await work(call);
      call.requireWhole();
      await transactions.beforeCommit?.(call);
      return result;
    } finally {
      afterCommit = call.end();
    }
  }, scope.deadline);
  for (const act of afterCommit) act();
  return result;
}

/** Refuses outside I/O while a transaction is open: it would hold every other writer up. */
export function refuseInTransaction(call: Call, what: string): void {
  if (call.inTransaction) {
    throw new Error(`${what} inside a transaction: do outside work first, then call.transact (effect EXTERNAL)`);
  }
}

/** The kernel's own view of a call that a plugin hands back. */
export function kernelCall(call: Call): KernelCall {
  if (call instanceof KernelCall) return call;
  throw new TypeError("this is not a call that the kernel made");
}
