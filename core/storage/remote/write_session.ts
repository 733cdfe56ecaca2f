import { type InStatement, LibsqlBatchError, type ResultSet } from "@libsql/client/web";
import type { MigrationSession, Session, SqlResult, SqlStatement, SqlValue } from "../engine.ts";
import { type SchemaObjects, schemaObjects } from "../schema_map.ts";
import { faultError, faultKind } from "./faults.ts";
import { checkMigrating, readSchema, type RemoteGuard } from "./guard.ts";
import type { RemoteTransaction } from "./remote_transaction.ts";
import { request, resultOf } from "./values.ts";

/** A statement in line, and the two ends of the promise that its caller holds; a deferred one has neither. */
interface Waiting {
  readonly statement: SqlStatement;
  readonly parameters: readonly SqlValue[];
  readonly resolve?: (result: SqlResult) => void;
  readonly reject?: (error: unknown) => void;
}

/** The session of one write. Statements that are issued in one turn, and deferred ones, share a round trip. */
export class RemoteWriteSession implements Session {
  readonly writable = true;
  protected readonly transaction: RemoteTransaction;
  readonly #guard: RemoteGuard;
  #line: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #open = true;
  #failure: { readonly error: unknown } | undefined;

  constructor(transaction: RemoteTransaction, guard: RemoteGuard) {
    this.transaction = transaction;
    this.#guard = guard;
  }

  run(statement: SqlStatement, parameters: readonly SqlValue[]): Promise<SqlResult> {
    return new Promise((resolve, reject) => {
      this.requireOpen();
      this.#line.push({ statement, parameters, resolve, reject });
      this.#sending ??= this.#sendAll();
    });
  }

  defer(statement: SqlStatement, parameters: readonly SqlValue[]): void {
    this.requireOpen();
    this.#line.push({ statement, parameters });
  }

  /** Takes nothing more. */
  end(): void {
    this.#open = false;
  }

  /** Sends what was deferred, and makes everything durable. */
  async commit(): Promise<void> {
    this.end();
    await this.#sending;
    this.#requireWhole();
    let last = (await this.#requests(this.#line.splice(0))).map(({ sent }) => sent);
    this.#requireWhole();
    if (!this.transaction.hasBegun && last.length > 0) {
      await this.transaction.run(last).catch((error) => this.#fail(error));
      this.#requireWhole();
      last = [];
    }
    await this.transaction.commit(last);
  }

  protected requireOpen(): void {
    this.#requireWhole();
    if (!this.#open) throw new Error("the write transaction of this session has ended");
  }

  /** How many parameters the statement takes, once it is known that its scope allows it. */
  protected async parameterCount(statement: SqlStatement): Promise<number> {
    const checked = this.#guard.check(statement);
    return (checked instanceof Promise ? await checked : checked).parameterCount;
  }

  #requireWhole(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error: faultError(error) };
  }

  async #sendAll(): Promise<void> {
    // what the same turn brings goes along
    await Promise.resolve();
    while (this.#line.some(({ resolve }) => resolve !== undefined)) {
      const ready = await this.#requests(this.#line.splice(0));
      if (ready.length > 0 && this.#failure === undefined) await this.#send(ready);
      if (this.#failure !== undefined) { for (const { waiting } of ready) waiting.reject?.(this.#failure.error); }
    }
    this.#sending = undefined;
  }

  /** Checks statements and makes them ready. What is refused is told to who runs it, or fails the transaction. */
  async #requests(line: readonly Waiting[]): Promise<Ready[]> {
    const ready: Ready[] = [];
    for (const waiting of line) {
      const { statement, parameters, reject } = waiting;
      try {
        ready.push({ waiting, sent: request(statement, parameters, await this.parameterCount(statement)) });
      } catch (error) {
        if (reject === undefined) this.#failure ??= { error };
        else reject(error);
      }
    }
    return ready;
  }

  async #send(ready: readonly Ready[]): Promise<void> {
    let results: ResultSet[];
    try {
      results = await this.transaction.run(ready.map(({ sent }) => sent));
    } catch (error) {
      const last = ready.at(-1)!.waiting;
      const isOnlyLast = error instanceof LibsqlBatchError && error.statementIndex === ready.length - 1 &&
        ready.every(({ waiting }) => waiting === last || waiting.reject === undefined);
      // all that came before was done, so that its caller may go on from there
      if (isOnlyLast && faultKind(error) === "statement") {
        last.reject?.(await this.#guard.exactError(faultError(error)));
      } else this.#fail(error);
      return;
    }
    for (const [index, { waiting }] of ready.entries()) waiting.resolve?.(resultOf(results[index]!));
  }
}

interface Ready {
  readonly waiting: Waiting;
  readonly sent: InStatement;
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
      throw faultError(error);
    });
}
