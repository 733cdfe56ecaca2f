import { type InStatement, LibsqlBatchError, type ResultSet } from "@libsql/client/web";
import type { MigrationSession, Session, SqlResult, SqlStatement, SqlValue } from "../engine.ts";
import { type SchemaObjects, schemaObjects } from "../guard/schema_map.ts";
import { errorKind, toEngineError } from "./errors.ts";
import { checkMigrating, readSchema, type RemoteGuard } from "./guard.ts";
import type { RemoteTransaction } from "./remote_transaction.ts";
import type { Silence } from "./silence.ts";
import { resultOf, toInStatement } from "./values.ts";

/** A queued statement with the functions that settle the promise of its caller. A deferred statement has no promise. */
interface QueuedStatement {
  readonly statement: SqlStatement;
  readonly parameters: readonly SqlValue[];
  readonly resolve?: (result: SqlResult) => void;
  readonly reject?: (error: unknown) => void;
  /** Receives the result of a read ahead, which has no other promise. */
  readonly onRead?: (result: SqlResult | undefined) => void;
}

/** The session of one write. Statements of one turn of the event loop, and deferred ones, share a round trip. */
export class RemoteWriteSession implements Session {
  readonly writable = true;
  protected readonly transaction: RemoteTransaction;
  readonly #guard: RemoteGuard;
  readonly #silence: Silence;
  #queue: QueuedStatement[] = [];
  #sending: Promise<void> | undefined;
  #isOpen = true;
  #isFlushing = false;
  #error: { readonly cause: unknown } | undefined;

  constructor(transaction: RemoteTransaction, guard: RemoteGuard, silence: Silence) {
    this.transaction = transaction;
    this.#guard = guard;
    this.#silence = silence;
  }

  run(statement: SqlStatement, parameters: readonly SqlValue[]): Promise<SqlResult> {
    return this.#silence.during(
      new Promise((resolve, reject) => {
        this.requireOpen();
        this.#queue.push({ statement, parameters, resolve, reject });
        this.#sending ??= this.#sendAll();
      }),
    );
  }

  defer(statement: SqlStatement, parameters: readonly SqlValue[]): void {
    this.requireOpen();
    this.#queue.push({ statement, parameters });
  }

  ahead(statement: SqlStatement, parameters: readonly SqlValue[]): Promise<SqlResult | undefined> {
    this.requireOpen();
    return new Promise((onRead) => void this.#queue.push({ statement, parameters, onRead }));
  }

  /** Sends what was queued, for the results of reads ahead. */
  async flush(): Promise<void> {
    this.#isFlushing = true;
    await this.#silence.during(this.#sending ??= this.#sendAll());
    this.#isFlushing = false;
    this.#throwError();
  }

  /** Refuses further statements. */
  end(): void {
    this.#isOpen = false;
  }

  /** Sends deferred statements and commits. */
  async commit(): Promise<void> {
    this.end();
    await this.#sending;
    this.#throwError();
    let last = (await this.#prepare(this.#queue.splice(0))).map(({ prepared }) => prepared);
    this.#throwError();
    if (!this.transaction.hasBegun && last.length > 0) {
      await this.transaction.run(last).catch((error) => this.#fail(error));
      this.#throwError();
      last = [];
    }
    await this.transaction.commit(last);
  }

  protected requireOpen(): void {
    this.#throwError();
    if (!this.#isOpen) throw new Error("the write transaction of this session has ended");
  }

  /** Checks a statement against its scope and the rows that it may visit. Returns the number of its parameters. */
  protected async parameterCount(statement: SqlStatement): Promise<number> {
    const checking = this.#guard.check(statement);
    const { parameterCount, refusal } = checking instanceof Promise ? await checking : checking;
    if (refusal !== undefined) throw refusal;
    return parameterCount;
  }

  #throwError(): void {
    if (this.#error !== undefined) throw this.#error.cause;
  }

  #fail(error: unknown): void {
    this.#error ??= { cause: toEngineError(error) };
  }

  async #sendAll(): Promise<void> {
    // lets further statements of the same turn join
    await Promise.resolve();
    while (
      this.#queue.some(({ resolve, onRead }) => (resolve ?? (this.#isFlushing ? onRead : undefined)) !== undefined)
    ) {
      const ready = await this.#prepare(this.#queue.splice(0));
      if (ready.length > 0 && this.#error === undefined) await this.#send(ready);
      if (this.#error !== undefined) {
        for (const { queued } of ready) {
          queued.reject?.(this.#error.cause);
          queued.onRead?.(undefined);
        }
      }
    }
    this.#sending = undefined;
  }

  /** Checks statements. The error of a statement rejects its promise or, if it was deferred, fails the transaction. */
  async #prepare(queue: readonly QueuedStatement[]): Promise<ReadyStatement[]> {
    const ready: ReadyStatement[] = [];
    for (const queued of queue) {
      const { statement, parameters, reject } = queued;
      try {
        ready.push({ queued, prepared: toInStatement(statement, parameters, await this.parameterCount(statement)) });
      } catch (error) {
        if (reject === undefined) this.#error ??= { cause: error };
        else reject(error);
      }
    }
    return ready;
  }

  async #send(ready: readonly ReadyStatement[]): Promise<void> {
    let results: ResultSet[];
    try {
      results = await this.transaction.run(ready.map(({ prepared }) => prepared));
    } catch (error) {
      const last = ready.at(-1)!.queued;
      const isOnlyLast = error instanceof LibsqlBatchError && error.statementIndex === ready.length - 1 &&
        ready.every(({ queued }) => queued === last || queued.reject === undefined);
      // all earlier statements were executed, so the caller may catch the error and continue
      if (isOnlyLast && errorKind(error) === "statement") {
        last.reject?.(await this.#guard.exactError(toEngineError(error)));
      } else this.#fail(error);
      for (const { queued } of ready) queued.onRead?.(undefined);
      return;
    }
    for (const [index, { queued }] of ready.entries()) {
      const result = resultOf(results[index]!);
      queued.resolve?.(result);
      queued.onRead?.(result);
    }
  }
}

interface ReadyStatement {
  readonly queued: QueuedStatement;
  readonly prepared: InStatement;
}

/** The session of a migration. */
export class RemoteMigrationSession extends RemoteWriteSession implements MigrationSession {
  protected override parameterCount(statement: SqlStatement): Promise<number> {
    return checkMigrating(statement, this.#run);
  }

  async schema(): Promise<SchemaObjects> {
    this.requireOpen();
    return schemaObjects(await readSchema(this.#run));
  }

  readonly #run = (statements: InStatement[]) =>
    this.transaction.run(statements).catch((error) => {
      throw toEngineError(error);
    });
}
