import { type Client, createClient, type InStatement, type ResultSet } from "@libsql/client/web";
import { kernelErrors } from "../../errors.ts";
import { StartupError } from "../../startup_error.ts";
import type { MigrationSession, Session, SqlResult, SqlStatement, SqlValue, StorageEngine } from "../engine.ts";
import { SqlError } from "../sql_error.ts";
import { beforeDeadline, untilAnswered } from "./deadline.ts";
import { faultError } from "./faults.ts";
import { RemoteGuard } from "./guard.ts";
import { RemoteTransaction } from "./remote_transaction.ts";
import { Turns } from "./turns.ts";
import { request, resultOf } from "./values.ts";
import { RemoteMigrationSession, RemoteWriteSession } from "./write_session.ts";

/** What the engine may take of the server's time and connections. Times are milliseconds. */
export interface RemoteLimits {
  /** A statement whose caller has no deadline, or a later one. */
  readonly statementTime: number;
  /** A write transaction from BEGIN to COMMIT. The server itself ends one that is in another's way for 5 seconds. */
  readonly transactionTime: number;
  /** A write whose caller has no deadline, or a later one, with the wait for its turn. */
  readonly writeTime: number;
  readonly migrationTime: number;
  readonly scanTime: number;
  /** How long the start waits for the server. */
  readonly openTime: number;
  readonly reads: number;
  readonly writes: number;
  readonly scans: number;
}

export const REMOTE_LIMITS: RemoteLimits = {
  statementTime: 10_000,
  transactionTime: 5_000,
  writeTime: 30_000,
  migrationTime: 60_000,
  scanTime: 60_000,
  openTime: 10_000,
  reads: 64,
  writes: 4,
  scans: 8,
};

export interface RemoteEngineOptions {
  /** `libsql://`, `http://` or `https://`. */
  readonly url: string;
  readonly token?: string | undefined;
  readonly limits?: Partial<RemoteLimits>;
  /** Sends a request; the runtime's own unless told. */
  readonly fetch?: (request: Request, init: RequestInit) => Promise<Response>;
}

/** A database behind a libSQL server, which other instances may use at the same time. */
export class RemoteEngine implements StorageEngine {
  readonly shared = true;
  readonly reader: Session;
  readonly #limits: RemoteLimits;
  readonly #reading: Client;
  readonly #writing: Client;
  readonly #scanning: Client;
  readonly #guard: RemoteGuard;
  readonly #turns: Turns;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;
  #roundTrips = 0;

  /** Use {@link openRemoteEngine}, which finds out whether the server answers. */
  constructor({ url, token, limits, fetch: send = fetch }: RemoteEngineOptions) {
    this.#limits = { ...REMOTE_LIMITS, ...limits };
    const client = (milliseconds: number, concurrency: number) =>
      createClient({
        url,
        ...(token === undefined ? {} : { authToken: token }),
        intMode: "bigint",
        concurrency,
        fetch: (request: Request) => {
          this.#roundTrips++;
          return send(request, { signal: AbortSignal.timeout(milliseconds) });
        },
      });
    const { statementTime, writeTime, scanTime, reads, writes, scans } = this.#limits;
    this.#reading = client(statementTime, reads);
    this.#writing = client(writeTime, writes + 1);
    this.#scanning = client(scanTime, scans);
    this.#turns = new Turns(writes);
    this.#guard = new RemoteGuard((statements) => this.#snapshot(statements));
    this.reader = {
      writable: false,
      run: (statement, parameters, deadline) =>
        this.#read(this.#reading, statement, parameters, this.#until(statementTime, deadline)),
    };
  }

  /** Requests to the server so far. */
  get roundTrips(): number {
    return this.#roundTrips;
  }

  write<Result>(work: (session: Session) => Promise<Result>, deadline?: number): Promise<Result> {
    return this.#track(this.#write(work, this.#until(this.#limits.writeTime, deadline)));
  }

  scan(statement: SqlStatement, parameters: readonly SqlValue[], deadline: number): Promise<SqlResult> {
    return this.#read(this.#scanning, statement, parameters, this.#until(this.#limits.scanTime, deadline));
  }

  migrate<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    return this.#track(this.#migrate(work));
  }

  /** Looks whether the server answers. */
  async probe(): Promise<void> {
    await answered(untilAnswered(this.#until(this.#limits.openTime), () => this.#reading.execute("select 1")));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const until = Date.now() + this.#limits.statementTime;
    await beforeDeadline(Promise.allSettled(this.#running), until, "the last writes").catch(() => undefined);
    for (const client of [this.#reading, this.#writing, this.#scanning]) client.close();
  }

  async #read(
    client: Client,
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    until: number,
  ): Promise<SqlResult> {
    this.#requireOpen();
    const checking = this.#guard.check(statement);
    const { parameterCount, writes } = checking instanceof Promise ? await checking : checking;
    if (writes) throw new SqlError("SQLITE_READONLY", "attempt to write a readonly database");
    const sent = request(statement, parameters, parameterCount);
    return resultOf(await answered(untilAnswered(until, () => client.execute(sent))));
  }

  async #snapshot(statements: InStatement[]): Promise<ResultSet[]> {
    const until = this.#until(this.#limits.statementTime);
    return await answered(untilAnswered(until, () => this.#reading.batch(statements, "read")));
  }

  async #write<Result>(work: (session: Session) => Promise<Result>, until: number): Promise<Result> {
    this.#requireOpen();
    const passOn = await this.#turns.take(until);
    const transaction = new RemoteTransaction(this.#writing, until, this.#limits.transactionTime);
    const session = new RemoteWriteSession(transaction, this.#guard);
    try {
      const result = await transaction.within(async () => work(session));
      await session.commit();
      return result;
    } finally {
      session.end();
      this.#track(transaction.rollback()).finally(passOn);
    }
  }

  /** Another instance may be at it: then this one begins anew, and finds less to do, or nothing. */
  async #migrate<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    this.#requireOpen();
    const until = this.#until(this.#limits.migrationTime);
    for (;;) {
      const transaction = new RemoteTransaction(this.#writing, until, this.#limits.migrationTime);
      const session = new RemoteMigrationSession(transaction, this.#guard);
      try {
        const result = await transaction.within(async () => work(session));
        await session.commit();
        return result;
      } catch (error) {
        if (!transaction.wasEndedByServer || Date.now() >= until) throw error;
      } finally {
        session.end();
        await transaction.rollback();
        this.#guard.refresh();
      }
    }
  }

  #until(milliseconds: number, deadline = Infinity): number {
    return Math.min(deadline, Date.now() + milliseconds);
  }

  #requireOpen(): void {
    if (this.#closed) throw kernelErrors.unavailable("the database is closed");
  }

  #track<Result>(running: Promise<Result>): Promise<Result> {
    this.#running.add(running);
    const done = () => void this.#running.delete(running);
    running.then(done, done);
    return running;
  }
}

/** Opens a remote database. Throws StartupError if its server does not answer, or refuses the token. */
export async function openRemoteEngine(options: RemoteEngineOptions): Promise<RemoteEngine> {
  const place = new URL(options.url).host;
  let engine: RemoteEngine | undefined;
  try {
    engine = new RemoteEngine(options);
    await engine.probe();
    return engine;
  } catch (error) {
    await engine?.close();
    const fault = error instanceof Error ? error.message : String(error);
    throw new StartupError(`the database at ${place} cannot be used: ${fault}`, { cause: error });
  }
}

/** What the client answers, its errors in the words of every engine. */
function answered<Result>(answer: Promise<Result>): Promise<Result> {
  return answer.catch((error) => {
    throw faultError(error);
  });
}
