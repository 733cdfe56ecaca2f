import Database from "libsql";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SqlResult, SqlRow, SqlValue } from "../../storage/engine.ts";
import { ProcessLock } from "../sqlite/process_lock.ts";
import type { ReplicaRequest, ReplicaSource } from "./replica_message.ts";

/** The part of the driver's interface for embedded replicas that its types omit. */
interface Syncing {
  sync(): unknown;
}

interface SyncOptions {
  readonly syncUrl: string;
  readonly authToken?: string;
}

type Prepared = Database.Statement & { raw(): Prepared };

/** A copy of a remote database in a local file: an embedded replica of libSQL. */
export class EmbeddedReplica {
  readonly #source: ReplicaSource;
  #lock: ProcessLock | undefined;
  #database: (Database.Database & Syncing) | undefined;
  #writes = -1;
  #syncedAt = -Infinity;

  constructor(source: ReplicaSource) {
    this.#source = source;
  }

  /** Synchronises with the database if the replica may miss writes or is older than the maximum age. */
  ensureFresh(minWrites: number): void {
    const now = performance.now();
    if (minWrites <= this.#writes && now - this.#syncedAt < this.#source.maxAgeMilliseconds) return;
    this.#lock ??= acquireLock(this.#source);
    this.#database ??= open(this.#source);
    this.#database.sync();
    this.#writes = minWrites;
    this.#syncedAt = now;
  }

  /** Runs statements on one state of the database, since nothing is fetched meanwhile. */
  read(statements: ReplicaRequest["statements"]): SqlResult[] {
    return statements.map(({ sql, parameters }) => this.#run(sql, parameters));
  }

  /**
   * Prepares the statement each time: on an embedded replica, the driver runs a statement again with its first
   * parameters. Uses only `all`: `get` and `iterate` leave it open, which would keep reading the current state.
   */
  #run(sql: string, parameters: readonly SqlValue[]): SqlResult {
    const statement = (this.#database!.prepare(sql).safeIntegers() as Prepared).raw();
    const rows = statement.all(parameters) as SqlRow[];
    // The driver detects a changed schema only when the statement runs.
    return { columns: statement.columns().map(({ name }) => name), rows, changes: 0n };
  }
}

/** Locks the replica for this process. */
function acquireLock({ directory }: ReplicaSource): ProcessLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return new ProcessLock(directory);
}

/** Opens the existing copy if it belongs to the same database, otherwise a new one. */
function open({ directory, url, token, discardsCopy }: ReplicaSource): Database.Database & Syncing {
  const sourceFile = join(directory, "source");
  const isOfSameDatabase = existsSync(sourceFile) && readFileSync(sourceFile, "utf8") === url;
  if (discardsCopy || !isOfSameDatabase) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(sourceFile, url);
  }
  const options: SyncOptions = { syncUrl: url, ...(token === undefined ? {} : { authToken: token }) };
  return new Database(join(directory, "copy.db"), options as Database.Options) as Database.Database & Syncing;
}
