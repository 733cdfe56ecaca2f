import { StartupError } from "../../base/startup_error.ts";
import { errorMessage } from "../settings/files.ts";
import { asDamage } from "./startup_check.ts";
import { readCheckpoint, readInstallationId, sizeOf } from "./database_file.ts";
import { type DatabaseRecord, readRecord, recordedName, recordPath, writeRecord } from "./database_record.ts";

/** The options of a {@link DatabaseIdentity}. */
export interface IdentityOptions {
  readonly dataDirectory: string;
  /** The path of the database file, as the settings name it. */
  readonly path: string;
  /** The path of the installation key, if it is in the data directory and was there before this start. */
  readonly keyPath?: string | undefined;
  /** The id of the installation that `EDGEHELM_INSTALLATION` names. */
  readonly expected?: string | undefined;
  /** True if the operator wants to begin with what is there, or with nothing. */
  readonly isAnew?: boolean | undefined;
}

const VARIABLE = "EDGEHELM_INSTALLATION";

interface Found {
  readonly isEmpty: boolean;
  readonly installation: string | undefined;
  readonly checkpoint: number;
  readonly logBytes: number;
}

const NOTHING: Found = { isEmpty: true, installation: undefined, checkpoint: 0, logBytes: 0 };

/** A reason to refuse a database, and what puts it right besides --new. */
interface Mismatch {
  readonly problem: string;
  readonly mend: string;
  readonly anew: string;
}

/**
 * The database that belongs to a data directory. A database that is gone, another one, or older than its last
 * checkpoint is refused, so that a lost one is never replaced by a new installation.
 */
export class DatabaseIdentity {
  readonly #options: IdentityOptions;
  #record: DatabaseRecord;

  /**
   * Declares a first start before the key and the database are created.
   *
   * @throws StartupError if there is no database although one is known
   */
  constructor(options: IdentityOptions) {
    const { dataDirectory, path, isAnew = false } = options;
    this.#options = options;
    this.#record = { file: recordedName(dataDirectory, path), checkpoint: 0 };
    if (isAnew || sizeOf(path) > 0 || sizeOf(`${path}-wal`) > 0) return;
    const record = readRecord(dataDirectory);
    const mismatch = this.#mismatch(record, NOTHING);
    if (mismatch !== undefined) throw refusal(mismatch);
    if (record === undefined) this.#save(this.#record);
  }

  /** True until the installation in the database is recorded. */
  get isPending(): boolean {
    return this.#record.installation === undefined;
  }

  /** The number of the last complete checkpoint. */
  get checkpoint(): number {
    return this.#record.checkpoint;
  }

  /**
   * Checks the database file and records it if it is not recorded yet. The process must hold its lock.
   *
   * @param fileCheckpoint the number of the checkpoint in the file, from {@link readCheckpoint}
   * @throws StartupError if it is not the database that belongs to the data directory
   */
  verify(fileCheckpoint: number): void {
    const { dataDirectory, path, isAnew = false, expected } = this.#options;
    const found = find(path, fileCheckpoint);
    const record = readRecord(dataDirectory);
    const mismatch = this.#mismatch(record, found);
    if (isAnew) requireAnew(path, mismatch, found, expected);
    else if (mismatch !== undefined) throw refusal(mismatch);
    const { installation, checkpoint } = found;
    const { file } = this.#record;
    const isKnown = record !== undefined && record.file === file && record.installation === installation;
    if (isKnown && !isAnew) this.#record = record;
    else this.#save({ file, installation, checkpoint });
  }

  /** Records that a checkpoint begins to move the write-ahead log, without which the file is incomplete until it ends. */
  begin(logBytes: number): void {
    this.#write({ ...this.#record, movingBytes: logBytes });
  }

  /** Records that the file has everything up to a checkpoint. */
  complete(checkpoint: number, installation: string | undefined): void {
    const { file } = this.#record;
    this.#write({ file, installation: this.#record.installation ?? installation, checkpoint });
  }

  /** Writes the record during the start, which ends if that fails. */
  #save(record: DatabaseRecord): void {
    try {
      this.#write(record);
    } catch (cause) {
      const path = recordPath(this.#options.dataDirectory);
      throw new StartupError(`cannot write "${path}": ${errorMessage(cause)}; make its directory writable`, { cause });
    }
  }

  #write(record: DatabaseRecord): void {
    writeRecord(this.#options.dataDirectory, record);
    this.#record = record;
  }

  #mismatch(record: DatabaseRecord | undefined, found: Found): Mismatch | undefined {
    const { path, expected, keyPath, dataDirectory } = this.#options;
    if (expected !== undefined && found.installation !== expected) {
      return other(path, found, expected, VARIABLE);
    }
    if (record === undefined) {
      const isLost = keyPath !== undefined && found.installation === undefined;
      return isLost ? other(path, found, undefined, `"${keyPath}"`) : undefined;
    }
    const { installation, file, checkpoint, movingBytes = 0 } = record;
    if (installation === undefined) return undefined;
    if (found.installation !== installation) return other(path, found, installation, `"${recordPath(dataDirectory)}"`);
    if (file !== this.#record.file) return undefined;
    if (found.checkpoint < checkpoint) {
      return replaced(
        `the database "${path}" is older than its last checkpoint: it has number ${found.checkpoint}, and ` +
          `"${recordPath(dataDirectory)}" has ${checkpoint}`,
      );
    }
    if (found.logBytes >= movingBytes) return undefined;
    return replaced(
      `the write-ahead log "${path}-wal" was cut while it was moved into the database: it has ${found.logBytes} bytes ` +
        `of at least ${movingBytes}`,
    );
  }
}

/**
 * Records a restored database as the one that belongs to a data directory. Call it before the file gets its name: a
 * crash in between then leaves a database that is not older than the record.
 *
 * @param draft the restored file, which no process has open
 */
export function recordRestored(dataDirectory: string, path: string, draft: string, installation: string): void {
  const checkpoint = readCheckpoint(draft);
  writeRecord(dataDirectory, { file: recordedName(dataDirectory, path), installation, checkpoint });
}

/**
 * Returns why the database in a file is not the one that its data directory names, or undefined. Changes nothing.
 *
 * @throws StartupError if the file is damaged
 */
export function mismatchOf(dataDirectory: string, path: string): string | undefined {
  const record = readRecord(dataDirectory);
  if (record?.installation === undefined) return undefined;
  const found = readable(path);
  if (found.installation === record.installation) return undefined;
  return textOf(other(path, found, record.installation, `"${recordPath(dataDirectory)}"`));
}

function readable(path: string): Found {
  try {
    return find(path, readCheckpoint(path));
  } catch (error) {
    throw asDamage(path, error);
  }
}

function find(path: string, checkpoint: number): Found {
  const isEmpty = sizeOf(path) === 0;
  return {
    isEmpty,
    installation: isEmpty ? undefined : readInstallationId(path),
    checkpoint,
    logBytes: sizeOf(`${path}-wal`),
  };
}

function other(path: string, { isEmpty, installation }: Found, expected: string | undefined, source: string): Mismatch {
  const owner = expected === undefined ? `${source} belongs to one` : `${source} names installation ${expected}`;
  if (installation === undefined) {
    const state = isEmpty ? "is gone or empty" : "holds no installation";
    return {
      problem: `the database "${path}" ${state}, but ${owner}`,
      mend: 'put it back, or run "restore <backup>"',
      anew: `begins a new installation${source === VARIABLE ? `, if ${VARIABLE} is unset` : ""}`,
    };
  }
  return replaced(`the database "${path}" is of installation ${installation}, but ${owner}`);
}

function replaced(problem: string): Mismatch {
  return {
    problem,
    mend: 'put the right one back, or run "restore <backup> --force"',
    anew: "accepts the one that is there",
  };
}

function textOf({ problem, mend, anew }: Mismatch): string {
  return `${problem}; ${mend}; "start --new" ${anew}`;
}

function refusal(mismatch: Mismatch): StartupError {
  return new StartupError(textOf(mismatch));
}

/** Keeps --new from becoming a habit, such as in a unit file: it is refused while nothing is lost. */
function requireAnew(path: string, mismatch: Mismatch | undefined, found: Found, expected: string | undefined): void {
  if (expected !== undefined) {
    throw new StartupError(`--new: EDGEHELM_INSTALLATION names installation ${expected}; unset it first`);
  }
  if (mismatch !== undefined || found.installation === undefined) return;
  throw new StartupError(`--new: the database "${path}" is the one that belongs here; start without --new`);
}
