import { errorMessage } from "../settings/files.ts";
import { type CheckpointLimits, Checkpoints } from "./checkpoints.ts";
import type { Connection } from "./connection.ts";
import type { DatabaseIdentity } from "./database_identity.ts";
import { FileWatch, REPLACED } from "./file_watch.ts";
import { WriteOutage } from "./driver/outage.ts";
import { rollBack } from "./write_group.ts";
import type { CommitHooks, Writer } from "./writer.ts";

/** The options of a {@link FileKeeper}. */
export interface FileKeeperOptions {
  /** The name of the file that the settings give, which may be a link. */
  readonly path: string;
  readonly checkpoints: CheckpointLimits;
  readonly identity?: DatabaseIdentity;
  readonly report?: (text: string) => void;
}

/** Half of the second within which a replaced file must be noticed. */
const TICK_MILLISECONDS = 500;

/** Keeps the files of an open database: moves the write-ahead log, and stops all writes when a file is replaced. */
export class FileKeeper implements CommitHooks {
  readonly #connection: Connection;
  readonly #endRead: () => void;
  readonly #watch: FileWatch;
  readonly #checkpoints: Checkpoints;
  readonly #report: (text: string) => void;
  readonly #outage: WriteOutage;
  #timer: ReturnType<typeof setInterval> | undefined;
  #hasFailed = false;

  /**
   * @param connection the connection of the writer
   * @param endRead ends the read transaction of this process, which would delay a checkpoint
   */
  constructor(path: string, connection: Connection, endRead: () => void, options: FileKeeperOptions) {
    const { checkpoints, identity, report = () => {} } = options;
    this.#connection = connection;
    this.#endRead = endRead;
    this.#report = report;
    this.#outage = new WriteOutage(report);
    this.#watch = new FileWatch(
      [options.path, `${path}-wal`],
      (lost) => report(`"${lost}": ${REPLACED}; nothing is written any more`),
    );
    if (identity !== undefined) this.#watch.moved(identity.checkpoint);
    const onMoved = (checkpoint: number) => this.#watch.moved(checkpoint);
    this.#checkpoints = new Checkpoints(path, connection, checkpoints, identity, onMoved);
  }

  /** The reason why nothing can be written, if so. */
  get unusable(): string | undefined {
    return this.#watch.isLost ? REPLACED : undefined;
  }

  /** The reason why the last write failed, if so. */
  get degraded(): string | undefined {
    return this.#outage.reason;
  }

  start(writer: Writer): void {
    this.#timer = setInterval(() => this.#tick(writer), TICK_MILLISECONDS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  beforeCommit(): void {
    this.#endRead();
    this.#watch.require();
  }

  afterCommit(): void {
    this.#outage.ended();
    this.#attempt(() => this.#checkpoints.committed());
  }

  failed(error: unknown): void {
    if (!this.#watch.isLost) this.#outage.began(error);
  }

  /** Moves the whole write-ahead log before the database is closed. */
  moveAll(): void {
    rollBack(this.#connection);
    this.#watch.check();
    if (this.#watch.isLost) this.#connection.checkpoint();
    else this.#attempt(() => this.#checkpoints.move());
  }

  #tick(writer: Writer): void {
    this.#watch.checkContent();
    if (this.#watch.isLost || !this.#checkpoints.isDue) return;
    writer.maintain(() => {
      this.#endRead();
      this.#attempt(() => this.#checkpoints.move());
    }).catch(() => {
      // the database was closed meanwhile, which moves the log
    });
  }

  /** A failed move loses nothing: the log still has everything, and the next one tries again. */
  #attempt(work: () => void): void {
    try {
      if (!this.#watch.isLost) work();
      this.#hasFailed = false;
    } catch (error) {
      rollBack(this.#connection);
      if (!this.#hasFailed) this.#report(`the write-ahead log was not moved into the database: ${errorMessage(error)}`);
      this.#hasFailed = true;
    }
  }
}
