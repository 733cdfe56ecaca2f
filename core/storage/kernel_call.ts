import type { Call, Caller } from "../base/call.ts";
import { OUTCOME_UNKNOWN, RpcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Metadata } from "../base/metadata.ts";
import type { OutboundConnection, OutboundInit, OutboundTarget } from "../base/outbound.ts";
import { ChangeLog } from "./change_log.ts";
import type { RequestScope } from "./request_scope.ts";
import type { Session, StorageEngine } from "./engine.ts";

/** The dependencies of {@link transaction}. */
export interface TransactionDeps {
  readonly engine: StorageEngine;
  /** Called inside every transaction of the call, before its work. */
  readonly afterBegin?: (call: Call) => void;
  /** Called inside every transaction of the call, between its work and COMMIT. */
  readonly beforeCommit?: (call: Call) => Promise<void>;
  /** True if each transaction of the call keeps which rows it changes. */
  readonly keepsChanges?: boolean;
  /** False for operations that declare not to write. */
  readonly mayWrite: boolean;
}

/** The kernel's implementation of Call. It holds the session, and refuses to be used after the call has ended. */
export class KernelCall implements Call {
  readonly #scope: RequestScope;
  readonly #transactions: TransactionDeps;
  #session: Session | undefined;
  /** True while an inner transaction runs, during which only the inner call may be used. */
  #hasInnerCall = false;
  #hasCommitted = false;
  #joinError: { readonly cause: unknown } | undefined;
  #afterCommit: (() => void)[] | undefined;

  /** @param changes those of the transaction that the call continues */
  constructor(scope: RequestScope, session: Session, transactions: TransactionDeps, changes?: ChangeLog) {
    this.#scope = scope;
    this.#session = session;
    this.#transactions = transactions;
    const keepsChanges = transactions.keepsChanges === true && session.writable;
    this.changes = changes ?? (keepsChanges ? new ChangeLog() : undefined);
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
  get metadata(): Metadata {
    return this.#scope.metadata;
  }
  get inTransaction(): boolean {
    return this.#hasInnerCall || this.#session?.writable === true;
  }
  get engine(): StorageEngine {
    return this.#transactions.engine;
  }

  /** The changes of this transaction; undefined if they are not kept. */
  readonly changes: ChangeLog | undefined;

  /** The state that the calls of the request share. */
  get scope(): RequestScope {
    return this.#scope;
  }

  /** The session of this call, for the database layer. */
  get session(): Session {
    if (this.#session === undefined) throw new Error("this call has ended: it can no longer use the database");
    if (this.#hasInnerCall) throw new Error("this call has an open transaction: use the call that transact passes");
    return this.#session;
  }

  async transact<Result>(work: (call: Call) => Promise<Result>): Promise<Result> {
    if (this.session.writable) return await this.#join(work);
    const { mayWrite } = this.#transactions;
    if (!mayWrite) throw new Error(`${this.#scope.operation} declares the effect READ and may not write`);
    this.#hasInnerCall = true;
    try {
      const result = await transaction(this.#scope, this.#transactions, async (inner) => {
        this.#requireActive();
        const result = await work(inner);
        this.#requireActive();
        return result;
      });
      this.#hasCommitted = true;
      return result;
    } catch (error) {
      this.#hasCommitted ||= error instanceof RpcError && error.reason === OUTCOME_UNKNOWN;
      throw error;
    } finally {
      this.#hasInnerCall = false;
    }
  }

  /** True if a transaction of this call is durable, or may be: after a lost response to COMMIT this is unknown. */
  get hasCommitted(): boolean {
    return this.#hasCommitted;
  }

  /** Joined work cannot be rolled back alone, so its error rolls back the whole transaction, even if it is caught. */
  async #join<Result>(work: (call: Call) => Promise<Result>): Promise<Result> {
    try {
      return await work(this);
    } catch (error) {
      this.#joinError ??= { cause: error };
      throw error;
    }
  }

  /** Throws the first error of work that joined the transaction. */
  throwJoinError(): void {
    if (this.#joinError !== undefined) throw this.#joinError.cause;
  }

  /** Refuses work that the handler started but did not await. */
  #requireActive(): void {
    if (this.#session === undefined) throw new Error("this call has ended: its transaction was not awaited");
  }

  fetch(input: string | URL, init: OutboundInit = {}): Promise<Response> {
    refuseInTransaction(this, "fetch");
    return this.#scope.outbound.fetch(input, { ...init, signal: this.#signalWith(init) });
  }

  connect(target: OutboundTarget): Promise<OutboundConnection> {
    refuseInTransaction(this, "connect");
    return this.#scope.outbound.connect({ ...target, signal: this.#signalWith(target) });
  }

  requireHost(field: string, host: string): Promise<void> {
    refuseInTransaction(this, "requireHost");
    return this.#scope.outbound.requireHost(field, host, this.signal);
  }

  #signalWith({ signal }: { readonly signal?: AbortSignal | null }): AbortSignal {
    return signal ? AbortSignal.any([this.signal, signal]) : this.signal;
  }

  /** Runs `act` when the transaction is durable, before the response is sent. It does not run after a rollback. */
  afterCommit(act: () => void): void {
    if (!this.session.writable) throw new Error("afterCommit outside a transaction");
    (this.#afterCommit ??= []).push(act);
  }

  /** Returns a call that continues the transaction, for the kernel's own work, and ends this one. */
  handOver(): KernelCall {
    const call = new KernelCall(this.#scope, this.session, this.#transactions, this.changes);
    this.#session = undefined;
    return call;
  }

  /** Detaches the call from its session. Returns the functions to run after COMMIT. */
  end(): readonly (() => void)[] {
    this.#session = undefined;
    return this.#afterCommit ?? [];
  }
}

/** Runs `work` in one write transaction, with a call that lasts as long as the transaction. */
export async function transaction<Result>(
  scope: RequestScope,
  transactions: TransactionDeps,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  let afterCommit: readonly (() => void)[] = [];
  const result = await transactions.engine.write(async (session) => {
    const call = new KernelCall(scope, session, transactions);
    try {
      transactions.afterBegin?.(call);
      const result = await work(call);
      call.throwJoinError();
      await transactions.beforeCommit?.(call.handOver());
      return result;
    } finally {
      afterCommit = call.end();
    }
  }, scope.deadline);
  for (const act of afterCommit) act();
  return result;
}

/** Refuses external I/O while a transaction is open, since it would block every other writer. */
export function refuseInTransaction(call: Call, what: string): void {
  if (call.inTransaction) {
    throw new Error(`${what} inside a transaction: do external work first, then call.transact (effect EXTERNAL)`);
  }
}

/** Returns the kernel's implementation of a call that a plugin passed. */
export function kernelCall(call: Call): KernelCall {
  if (call instanceof KernelCall) return call;
  throw new TypeError("the call was not created by the kernel");
}
