import { type Client, type Config, createClient } from "@libsql/client/web";
import { kernelErrors } from "../../base/errors.ts";
import { StartupError } from "../../base/startup_error.ts";
import type {
  MigrationSession,
  ReadSession,
  Session,
  SqlResult,
  SqlStatement,
  SqlValue,
  StorageEngine,
} from "../engine.ts";
import { beforeDeadline, untilAnswered } from "./deadline.ts";
import { answered } from "./faults.ts";
import { ReadPrefetcher } from "./read_prefetcher.ts";
import { RemoteGuard } from "./guard.ts";
import { RemoteReadSession } from "./read_session.ts";
import { RemoteReads } from "./reads.ts";
import { RemoteTransaction } from "./remote_transaction.ts";
import type { ReadReplica } from "./replica.ts";
import { MAX_IDLE, Streams } from "./streams.ts";
import { Semaphore } from "../../base/semaphore.ts";
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
  /** How long the schema is taken to be as it was: another instance, of another release, may migrate. */
  readonly schemaTime: number;
  /** How long the start waits for the server. */
  readonly openTime: number;
  /** As many as streams are kept: more at once would each cost the server a new connection. */
  readonly reads: number;
  /** More at once would not be faster, since the server has one lock, and would hold others up if this process stalls. */
  readonly writes: number;
  readonly scans: number;
}

export const REMOTE_LIMITS: RemoteLimits = {
  statementTime: 10_000,
  transactionTime: 5_000,
  writeTime: 30_000,
  migrationTime: 60_000,
  scanTime: 60_000,
  schemaTime: 2000,
  openTime: 10_000,
  reads: MAX_IDLE,
  writes: 2,
  scans: 8,
};

export interface RemoteEngineOptions {
  /** `libsql://`, `http://` or `https://`. */
  readonly url: string;
  readonly token?: string | undefined;
  readonly limits?: Partial<RemoteLimits>;
  /** Answers reads that may be a little old. */
  readonly replica?: ReadReplica | undefined;
  /** Sends a request; the runtime's own unless told. */
  readonly fetch?: (request: Request, init: RequestInit) => Promise<Response>;
  /** Told of what goes on after the call that began it has ended. */
  readonly background?: (work: Promise<unknown>) => void;
}

/** A database behind a libSQL server, which other instances may use at the same time. */
export class RemoteEngine implements StorageEngine {
  readonly shared = true;
  readonly reader: Session;
  readonly #limits: RemoteLimits;
  readonly #config: Config;
  readonly #fetch: NonNullable<RemoteEngineOptions["fetch"]>;
  readonly #background: NonNullable<RemoteEngineOptions["background"]>;
  readonly #guard: RemoteGuard;
  readonly #streams = new Streams((signal) => this.#client(signal));
  readonly #foresight = new ReadPrefetcher();
  readonly #replica: ReadReplica | undefined;
  readonly #reads: RemoteReads;
  readonly #writes: Semaphore;
  readonly #scans: Semaphore;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;
  #roundTrips = 0;

  /** Use {@link openRemoteEngine}, which finds out whether the server answers. */
  constructor({ url, token, limits, background = () => {}, ...options }: RemoteEngineOptions) {
    this.#limits = { ...REMOTE_LIMITS, ...limits };
    this.#config = { url, intMode: "bigint", ...(token === undefined ? {} : { authToken: token }) };
    this.#fetch = options.fetch ?? ((request, init) => fetch(request, init));
    this.#background = background;
    this.#replica = options.replica;
    this.#writes = new Semaphore(this.#limits.writes, "the database");
    this.#scans = new Semaphore(this.#limits.scans, "the database");
    const { statementTime, schemaTime } = this.#limits;
    const permits = new Semaphore(this.#limits.reads, "the database");
    this.#guard = new RemoteGuard(
      (statements) => answered(this.#reads.snapshot(statements, this.#until(statementTime))),
      schemaTime,
      background,
    );
    this.#reads = new RemoteReads({
      streams: this.#streams,
      permits,
      guard: this.#guard,
      requireOpen: () => this.#requireOpen(),
      background,
    });
    // the kernel's own: every call would wait for whether its token still holds
    const urgent = (until: number) => permits.acquire(until, true);
    this.reader = {
      writable: false,
      run: (statement, parameters, deadline) =>
        this.#reads.one(statement, parameters, this.#until(statementTime, deadline), urgent),
    };
  }

  /** Requests to the server so far. */
  get roundTrips(): number {
    return this.#roundTrips;
  }

  get waiting(): number {
    return this.#writes.waiting;
  }

  beginReads(mayBeOlder = false): ReadSession {
    const replica = mayBeOlder ? this.#replica : undefined;
    return new RemoteReadSession((questions, deadline) => {
      const until = this.#until(this.#limits.statementTime, deadline);
      if (replica === undefined) return this.#reads.together(questions, until);
      return this.#reads.nearby(replica, questions, until);
    }, this.#foresight);
  }

  write<Result>(work: (session: Session) => Promise<Result>, deadline?: number): Promise<Result> {
    return this.#track(this.#write(work, this.#until(this.#limits.writeTime, deadline)));
  }

  scan(statement: SqlStatement, parameters: readonly SqlValue[], deadline: number): Promise<SqlResult> {
    return this.#reads.one(
      statement,
      parameters,
      this.#until(this.#limits.scanTime, deadline),
      (until) => this.#scans.acquire(until),
    );
  }

  migrate<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    return this.#track(this.#migrate(work));
  }

  /** Waits until the server answers: it may be starting too. */
  async probe(): Promise<void> {
    const until = this.#until(this.#limits.openTime);
    await answered(untilAnswered(until, (signal) => this.#streams.run(["select 1"], signal), Infinity));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const until = Date.now() + this.#limits.statementTime;
    await beforeDeadline(Promise.allSettled(this.#running), until, "the last writes").catch(() => undefined);
    await this.#replica?.close();
  }

  /** The server is asked nothing before the first request. */
  #client(signal: () => AbortSignal): Client {
    const send = (request: Request) => {
      this.#roundTrips++;
      return this.#fetch(request, { signal: signal() });
    };
    return createClient({ ...this.#config, fetch: send });
  }

  async #write<Result>(work: (session: Session) => Promise<Result>, until: number): Promise<Result> {
    this.#requireOpen();
    const release = await this.#writes.acquire(until);
    const transaction = new RemoteTransaction(this.#streams, until, this.#limits.transactionTime);
    const session = new RemoteWriteSession(transaction, this.#guard);
    try {
      const result = await transaction.within(async () => work(session));
      await session.commit();
      return result;
    } finally {
      session.end();
      this.#replica?.outdate();
      this.#background(this.#track(transaction.rollback()).finally(release));
    }
  }

  /** Another instance may be at it: then this one begins anew, and finds less to do, or nothing. */
  async #migrate<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    this.#requireOpen();
    const until = this.#until(this.#limits.migrationTime);
    for (;;) {
      const transaction = new RemoteTransaction(this.#streams, until, this.#limits.migrationTime);
      const session = new RemoteMigrationSession(transaction, this.#guard);
      try {
        const result = await transaction.within(async () => work(session));
        await session.commit();
        return result;
      } catch (error) {
        if (!transaction.wasEndedByServer || Date.now() >= until) throw error;
      } finally {
        session.end();
        this.#replica?.outdate();
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
