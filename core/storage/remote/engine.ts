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
import { withDeadline, withRetries } from "./deadline.ts";
import { translateErrors } from "./errors.ts";
import { ReadPrefetcher } from "./read_prefetcher.ts";
import { RemoteGuard } from "./guard.ts";
import { RemoteReadSession } from "./read_session.ts";
import { RemoteReads } from "./reads.ts";
import { RemoteTransaction } from "./remote_transaction.ts";
import type { ReadReplica } from "./replica.ts";
import { Silence } from "./silence.ts";
import { MAX_IDLE, Streams } from "./streams.ts";
import { Semaphore } from "../../base/semaphore.ts";
import { RemoteMigrationSession, RemoteWriteSession } from "./write_session.ts";

/** The limits of a remote engine. Times are in milliseconds; the deadline of a caller may shorten them. */
export interface RemoteLimits {
  /** The time limit of a read. */
  readonly statementTime: number;
  /** The time limit from BEGIN to COMMIT. The server itself ends a transaction that blocks another for 5 seconds. */
  readonly transactionTime: number;
  /** The time limit between two statements of a transaction. */
  readonly idleTime: number;
  /** The time limit of a write, including the wait for a permit. */
  readonly writeTime: number;
  readonly migrationTime: number;
  readonly scanTime: number;
  /** The interval of checks whether another instance of another release has migrated the database. */
  readonly schemaTime: number;
  /** The time for which the start waits for the server. */
  readonly openTime: number;
  /** The maximum number of concurrent reads: beyond the idle streams, each would cost the server a new connection. */
  readonly reads: number;
  /**
   * The maximum number of concurrent writes. More would not be faster, since the server has one lock, and would block
   * other instances if this process stalls.
   */
  readonly writes: number;
  /** The maximum number of concurrent scans. */
  readonly scans: number;
}

export const REMOTE_LIMITS: RemoteLimits = {
  statementTime: 10_000,
  transactionTime: 5_000,
  idleTime: 1000,
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
  /** Serves reads that may be slightly stale. */
  readonly replica?: ReadReplica | undefined;
  /** Sends requests. The global `fetch` by default. */
  readonly fetch?: (request: Request, init: RequestInit) => Promise<Response>;
  /** Called with work that may continue after the call that started it has ended. */
  readonly background?: (work: Promise<unknown>) => void;
}

/** A database on a libSQL server, which several instances may use at the same time. */
export class RemoteEngine implements StorageEngine {
  readonly shared = true;
  readonly reader: Session;
  readonly #limits: RemoteLimits;
  readonly #config: Config;
  readonly #fetch: NonNullable<RemoteEngineOptions["fetch"]>;
  readonly #background: NonNullable<RemoteEngineOptions["background"]>;
  readonly #guard: RemoteGuard;
  readonly #streams = new Streams((signal) => this.#client(signal));
  readonly #prefetcher = new ReadPrefetcher();
  readonly #replica: ReadReplica | undefined;
  readonly #reads: RemoteReads;
  readonly #writes: Semaphore;
  readonly #scans: Semaphore;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;
  #roundTrips = 0;

  /** Use {@link openRemoteEngine}, which checks that the server responds. */
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
      (statements) => translateErrors(this.#reads.snapshot(statements, this.#until(statementTime))),
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
    // reads of the kernel come first, because every call waits for its token to be checked
    const acquireUrgent = (until: number) => permits.acquire(until, true);
    this.reader = {
      writable: false,
      run: (statement, parameters, deadline) =>
        this.#reads.single(statement, parameters, this.#until(statementTime, deadline), acquireUrgent),
    };
  }

  /** The number of requests sent to the server. */
  get roundTrips(): number {
    return this.#roundTrips;
  }

  get waiting(): number {
    return this.#writes.waiting;
  }

  beginReads(mayBeStale = false): ReadSession {
    const replica = mayBeStale ? this.#replica : undefined;
    return new RemoteReadSession((requests, deadline) => {
      const until = this.#until(this.#limits.statementTime, deadline);
      if (replica === undefined) return this.#reads.batch(requests, until);
      return this.#reads.fromReplica(replica, requests, until);
    }, this.#prefetcher);
  }

  write<Result>(work: (session: Session) => Promise<Result>, deadline?: number): Promise<Result> {
    return this.#track(this.#write(work, this.#until(this.#limits.writeTime, deadline)));
  }

  scan(statement: SqlStatement, parameters: readonly SqlValue[], deadline: number): Promise<SqlResult> {
    return this.#reads.single(
      statement,
      parameters,
      this.#until(this.#limits.scanTime, deadline),
      (until) => this.#scans.acquire(until),
    );
  }

  migrate<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    return this.#track(this.#migrate(work));
  }

  /** Waits until the server responds, since it may still be starting. */
  async probe(): Promise<void> {
    const until = this.#until(this.#limits.openTime);
    await translateErrors(withRetries(until, (signal) => this.#streams.run(["select 1"], signal), Infinity));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const until = Date.now() + this.#limits.statementTime;
    await withDeadline(Promise.allSettled(this.#running), until, "the last writes").catch(() => undefined);
    await this.#replica?.close();
  }

  /** Creates a client, which connects with its first request. */
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
    const silence = new Silence(this.#limits.idleTime);
    const session = new RemoteWriteSession(transaction, this.#guard, silence);
    try {
      const result = await transaction.raceExpiry(() => silence.race(async () => work(session)));
      await session.commit();
      return result;
    } finally {
      session.end();
      this.#replica?.invalidate();
      this.#background(this.#track(transaction.rollback()).finally(release));
    }
  }

  /** Migrates, and retries if another instance is migrating: fewer migrations, or none, are left then. */
  async #migrate<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    this.#requireOpen();
    const until = this.#until(this.#limits.migrationTime);
    for (;;) {
      const transaction = new RemoteTransaction(this.#streams, until, this.#limits.migrationTime);
      const session = new RemoteMigrationSession(transaction, this.#guard, new Silence(Infinity));
      try {
        const result = await transaction.raceExpiry(async () => work(session));
        await session.commit();
        return result;
      } catch (error) {
        if (!transaction.wasEndedByServer || Date.now() >= until) throw error;
      } finally {
        session.end();
        this.#replica?.invalidate();
        await transaction.rollback();
        this.#guard.refresh();
      }
    }
  }

  #until(milliseconds: number, deadline = Infinity): number {
    return Math.min(deadline, Date.now() + milliseconds);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw kernelErrors.unavailable("the database is closed");
  }

  #track<Result>(running: Promise<Result>): Promise<Result> {
    this.#running.add(running);
    const done = () => void this.#running.delete(running);
    running.then(done, done);
    return running;
  }
}

/**
 * Opens a remote database.
 *
 * @throws StartupError if the server does not respond or refuses the token
 */
export async function openRemoteEngine(options: RemoteEngineOptions): Promise<RemoteEngine> {
  const { host } = new URL(options.url);
  let engine: RemoteEngine | undefined;
  try {
    engine = new RemoteEngine(options);
    await engine.probe();
    return engine;
  } catch (error) {
    await engine?.close();
    const cause = error instanceof Error ? error.message : String(error);
    throw new StartupError(`the database at ${host} cannot be used: ${cause}`, { cause: error });
  }
}
