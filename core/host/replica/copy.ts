import Database from "libsql";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SqlResult, SqlRow, SqlValue } from "../../storage/engine.ts";
import { ProcessLock } from "../sqlite/process_lock.ts";
import type { ReplicaRequest, ReplicaSource } from "./replica_message.ts";

/** What the driver offers for copies, and its types leave out. */
interface Syncing {
  sync(): { readonly frames_synced: number };
}

interface SyncOptions {
  readonly syncUrl: string;
  readonly authToken?: string;
}

type Prepared = Database.Statement & { raw(): Prepared; columnNames?: readonly string[] };

/** Statements are many, but few have a text that depends on the request. */
const MAX_PREPARED = 2000;

/** A copy of a remote database in a file (an embedded replica of libSQL). */
export class Copy {
  readonly #source: ReplicaSource;
  #lock: ProcessLock | undefined;
  #database: (Database.Database & Syncing) | undefined;
  #prepared = new Map<string, Prepared>();
  #schemaVersion: unknown;
  #covers = -1;
  #lookedAt = -Infinity;

  constructor(source: ReplicaSource) {
    this.#source = source;
  }

  /** Fetches what is missing, if so many writes are not in it yet or it has not looked for long. */
  bringUpTo(covers: number): void {
    const now = performance.now();
    if (covers <= this.#covers && now - this.#lookedAt < this.#source.greatestAge) return;
    this.#lock ??= lockOf(this.#source);
    this.#database ??= open(this.#source);
    if (this.#database.sync().frames_synced > 0) this.#forgetOtherSchema(this.#database);
    this.#covers = covers;
    this.#lookedAt = now;
  }

  /** One state of the database: nothing is fetched meanwhile. */
  read(statements: ReplicaRequest["statements"]): SqlResult[] {
    return statements.map(({ sql, parameters }) => this.#run(sql, parameters));
  }

  /** `all` alone: `get` and `iterate` leave a statement begun, which would see this state for ever. */
  #run(sql: string, parameters: readonly SqlValue[]): SqlResult {
    const statement = this.#prepared.get(sql) ?? this.#prepare(this.#database!, sql);
    const rows = statement.all(parameters) as SqlRow[];
    // only a run finds out that the schema is another
    statement.columnNames ??= statement.columns().map(({ name }) => name);
    return { columns: statement.columnNames, rows, changes: 0n };
  }

  #prepare(database: Database.Database, sql: string): Prepared {
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
    const prepared = (database.prepare(sql).safeIntegers() as Prepared).raw();
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  /** What `select *` answers is decided when a statement is prepared. */
  #forgetOtherSchema(database: Database.Database): void {
    const version = JSON.stringify(database.prepare("pragma schema_version").all());
    if (version !== this.#schemaVersion) this.#prepared.clear();
    this.#schemaVersion = version;
  }
}

/** One process alone may have the copy. */
function lockOf({ directory }: ReplicaSource): ProcessLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return new ProcessLock(directory);
}

/** Opens the copy that is there, if it is of the same database. */
function open({ directory, url, token, anew }: ReplicaSource): Database.Database & Syncing {
  const note = join(directory, "source");
  const isOfThis = existsSync(note) && readFileSync(note, "utf8") === url;
  if (anew || !isOfThis) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(note, url);
  }
  const options: SyncOptions = { syncUrl: url, ...(token === undefined ? {} : { authToken: token }) };
  return new Database(join(directory, "copy.db"), options as Database.Options) as Database.Database & Syncing;
}
