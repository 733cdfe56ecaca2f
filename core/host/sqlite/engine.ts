import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type {
  MigrationSession,
  Session,
  SqlResult,
  SqlStatement,
  SqlValue,
  StorageEngine,
} from "../../storage/engine.ts";
import { TableGuardError } from "../../storage/guard/table_guard.ts";
import { APPLICATION_ID } from "./application_id.ts";
import { CHECKPOINT_LIMITS, type CheckpointLimits } from "./checkpoints.ts";
import { Connection } from "./connection.ts";
import { readCheckpoint } from "./database_file.ts";
import { LONG_READ_LIMITS, type LongReadLimits, LongReads } from "./reads/long_reads.ts";
import type { DatabaseIdentity } from "./database_identity.ts";
import { FileKeeper } from "./file_keeper.ts";
import { ProcessLock } from "./process_lock.ts";
import { SCAN_LIMITS, type ScanLimits, ScanPool } from "./reads/scan_pool.ts";
import { SnapshotReader } from "./snapshot_reader.ts";
import { asDamage, checkDatabaseFile } from "./startup_check.ts";
import { Writer, WRITER_LIMITS, type WriterLimits } from "./writer.ts";

export interface LocalEngineOptions {
  /** The path of the database file. The file and its directory are created if missing. */
  readonly path: string;
  readonly writer?: Partial<WriterLimits>;
  readonly scan?: Partial<ScanLimits>;
  readonly longReads?: Partial<LongReadLimits>;
  /** The file size up to which every page is checked at start. Indexes are compared with tables in small files only. */
  readonly quickCheckBytes?: number;
  /** The time in milliseconds that close() waits for queued writes. */
  readonly closeTime?: number;
  readonly checkpoints?: Partial<CheckpointLimits>;
  /** The database that belongs to the data directory; any is accepted without it. */
  readonly identity?: DatabaseIdentity;
  /** Called with what the operator must know about the files and about reads that do not end. */
  readonly report?: (text: string) => void;
}

// No foreign keys: none may cross plugins, and each plugin keeps its own rows consistent.
const COMMON = ["foreign_keys = off", "mmap_size = 1073741824", "temp_store = memory"];
const WRITER_PRAGMAS = ["journal_mode = wal", "synchronous = full", "cache_size = -32768"].concat(
  ["wal_autocheckpoint = 0", "journal_size_limit = 67108864"],
  COMMON,
);
const READER_PRAGMAS = ["query_only = 1", "wal_autocheckpoint = 0", "cache_size = -65536", ...COMMON];
const QUICK_CHECK_BYTES = 256 * 1024 * 1024;
const CLOSE_TIME = 10_000;

/** A storage engine on a local database file, which only this process uses. */
export class LocalEngine implements StorageEngine {
  readonly shared = false;
  readonly reader: SnapshotReader;
  readonly writer: Writer;
  readonly scans: ScanPool;
  readonly #reads: LongReads;
  readonly #lock: ProcessLock;
  readonly #reading: Connection;
  readonly #writing: Connection;
  readonly #files: FileKeeper;
  readonly #closeTime: number;
  #closed: Promise<void> | undefined;

  /** Use {@link openLocalEngine}, which locks and checks the file first. */
  constructor(path: string, lock: ProcessLock, options: LocalEngineOptions) {
    this.#lock = lock;
    this.#closeTime = options.closeTime ?? CLOSE_TIME;
    this.#writing = new Connection(path, WRITER_PRAGMAS);
    this.#writing.boundsWork = true;
    setApplicationId(this.#writing);
    this.#reading = new Connection(path, READER_PRAGMAS);
    this.#reads = new LongReads(path, { ...LONG_READ_LIMITS, ...options.longReads }, options.report);
    this.reader = new SnapshotReader(this.#reading, this.#reads);
    this.#files = new FileKeeper(path, this.#writing, () => this.reader.end(), {
      ...options,
      checkpoints: { ...CHECKPOINT_LIMITS, ...options.checkpoints },
    });
    this.writer = new Writer(this.#writing, { ...WRITER_LIMITS, ...options.writer }, this.#files);
    this.#files.start(this.writer);
    this.scans = new ScanPool(path, { ...SCAN_LIMITS, ...options.scan }, options.report);
  }

  get unusable(): string | undefined {
    return this.#files.unusable;
  }

  get degraded(): string | undefined {
    return this.#files.degraded;
  }

  get waiting(): number {
    return this.writer.waiting;
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.writer.write(work);
  }

  async scan(statement: SqlStatement, parameters: readonly SqlValue[], deadline: number): Promise<SqlResult> {
    return this.scans.run(statement.sql, this.#reading.check(statement, parameters), deadline);
  }

  async migrate<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    try {
      return await this.writer.migrate(work);
    } finally {
      this.reader.end();
      this.#reading.refresh();
      this.#reads.refresh();
    }
  }

  checkChanges(statements: Iterable<SqlStatement>): string[] {
    const errors: string[] = [];
    for (const statement of statements) {
      try {
        this.#writing.checkChange(statement);
      } catch (error) {
        // A statement that does not compile fails when it runs.
        if (error instanceof TableGuardError) errors.push(error.message);
      }
    }
    return errors;
  }

  close(): Promise<void> {
    return this.#closed ??= this.#close();
  }

  async #close(): Promise<void> {
    this.#files.stop();
    await this.writer.close(this.#closeTime);
    this.scans.close();
    await this.#reads.close();
    this.reader.end();
    this.#reading.close();
    try {
      this.#files.moveAll();
    } finally {
      this.#writing.close();
      this.#lock.release(true);
    }
  }
}

/**
 * Locks, checks and opens a local database.
 *
 * @throws StartupError if another process holds the lock or the file is damaged
 */
export async function openLocalEngine(options: LocalEngineOptions): Promise<LocalEngine> {
  const path = realPath(options.path);
  const lock = new ProcessLock(path);
  try {
    const quickCheckBytes = options.quickCheckBytes ?? QUICK_CHECK_BYTES;
    const checkpoint = readCheckpoint(path);
    checkDatabaseFile(path, { wasLeftBehind: lock.wasLeftBehind, quickCheckBytes });
    options.identity?.verify(checkpoint);
    return new LocalEngine(path, lock, options);
  } catch (error) {
    lock.release(false);
    throw asDamage(path, error);
  }
}

/** Marks the file as a database of Edgehelm. */
function setApplicationId(connection: Connection): void {
  if (Number(connection.query("pragma application_id")[0]?.[0]) === APPLICATION_ID) return;
  connection.exec(`pragma application_id = ${APPLICATION_ID}`);
}

/** Resolves links, so that one file has one lock. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  mkdirSync(dirname(path), { recursive: true });
  return join(realpathSync(dirname(path)), basename(path));
}
