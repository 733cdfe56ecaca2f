import type { Connection } from "./connection.ts";
import { installationIdIn, sizeOf } from "./database_file.ts";
import type { DatabaseIdentity } from "./database_identity.ts";
import { LogIndex } from "./log_index.ts";

/** The limits from which the write-ahead log is moved into the database file. */
export interface CheckpointLimits {
  /** The bytes in use of the log from which it is moved after a commit. */
  readonly bytes: number;
  /** The time in milliseconds after which it is moved; Infinity for never. */
  readonly interval: number;
}

export const CHECKPOINT_LIMITS: CheckpointLimits = { bytes: 32 * 1024 * 1024, interval: 30_000 };

/**
 * Moves the write-ahead log into the database file, by size and time, and numbers each move. A reader with an old
 * snapshot delays the end of a move, but no move waits for a reader.
 */
export class Checkpoints {
  readonly #connection: Connection;
  readonly #logPath: string;
  readonly #log: LogIndex;
  readonly #limits: CheckpointLimits;
  readonly #identity: DatabaseIdentity | undefined;
  readonly #onMoved: (checkpoint: number) => void;
  #isDirty = true;
  #isDelayed = false;
  #movedAt = -Infinity;

  /**
   * @param path the path of the database file
   * @param onMoved called with the number of each checkpoint that moved the whole log
   */
  constructor(
    path: string,
    connection: Connection,
    limits: CheckpointLimits,
    identity: DatabaseIdentity | undefined,
    onMoved: (checkpoint: number) => void,
  ) {
    this.#connection = connection;
    this.#logPath = `${path}-wal`;
    this.#log = new LogIndex(path);
    this.#limits = limits;
    this.#identity = identity;
    this.#onMoved = onMoved;
  }

  /** True if the log has been waiting to be moved for the whole interval, or a reader delayed its move. */
  get isDue(): boolean {
    if (!this.#isDirty) return false;
    return this.#isDelayed || performance.now() - this.#movedAt > this.#limits.interval;
  }

  /** Declares a commit. Moves the log if it has become large, or if the commit created the installation. */
  committed(): void {
    this.#isDirty = true;
    const isNew = this.#identity?.isPending === true && installationIdIn(this.#connection) !== undefined;
    // a reader that delays the move would make every commit try again
    if (isNew) this.move();
    else if (!this.#isDelayed && this.#log.bytes() >= this.#limits.bytes) this.#moveKeepingFile();
  }

  /** Moves the log as far as readers allow, and empties its file. The connection must be in no transaction. */
  move(): void {
    this.#moveKeepingFile();
    if (!this.#isDelayed) this.#truncate();
  }

  #moveKeepingFile(): void {
    const checkpoint = Number(this.#connection.query("pragma user_version")[0]?.[0]) + 1;
    this.#connection.exec(`begin immediate; pragma user_version = ${checkpoint}; commit`);
    const installation = this.#identity?.isPending === true ? installationIdIn(this.#connection) : undefined;
    this.#identity?.begin(sizeOf(this.#logPath));
    const [row] = this.#connection.query("pragma wal_checkpoint(passive)");
    const [busy, frames, moved] = row!.map(Number);
    this.#isDelayed = busy !== 0 || frames !== moved;
    if (this.#isDelayed) return;
    this.#identity?.complete(checkpoint, installation);
    this.#onMoved(checkpoint);
    this.#isDirty = false;
    this.#movedAt = performance.now();
  }

  /** Empties the log file unless a reader uses it. */
  #truncate(): void {
    const timeout = Number(this.#connection.query("pragma busy_timeout")[0]?.[0]);
    this.#connection.exec("pragma busy_timeout = 0");
    try {
      this.#connection.exec("pragma wal_checkpoint(truncate)");
    } finally {
      this.#connection.exec(`pragma busy_timeout = ${timeout}`);
    }
  }
}
