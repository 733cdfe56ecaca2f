import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { StartupError } from "../../base/startup_error.ts";
import { errorMessage, hasCode } from "../settings/files.ts";

/** The entry of a data directory about the database that belongs to it. */
export interface DatabaseRecord {
  /** The path of the database file, relative to the data directory. */
  readonly file: string;
  /** The id of the installation in the database; absent until the first start has created it. */
  readonly installation?: string | undefined;
  /** The number of the last checkpoint that moved the whole write-ahead log into the file. */
  readonly checkpoint: number;
  /** The size that the write-ahead log had when a checkpoint began that has not moved all of it. */
  readonly movingBytes?: number | undefined;
}

const MAX_BYTES = 64 * 1024;

/** Returns the path of the record in a data directory. */
export function recordPath(dataDirectory: string): string {
  return join(dataDirectory, "database.json");
}

/** Returns the name by which a record in a data directory knows a database file. */
export function recordedName(dataDirectory: string, databasePath: string): string {
  return relative(dataDirectory, databasePath);
}

/**
 * Reads the record of a data directory, if it has one.
 *
 * @throws StartupError if the file cannot be read or is no record
 */
export function readRecord(dataDirectory: string): DatabaseRecord | undefined {
  const path = recordPath(dataDirectory);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined;
    throw new StartupError(`cannot read the record of the database "${path}": ${errorMessage(cause)}`, { cause });
  }
  const record = text.length <= MAX_BYTES ? parse(text) : undefined;
  if (record !== undefined) return record;
  throw new StartupError(
    `"${path}" is damaged: it does not name the database of this directory; if the database is the right one, remove ` +
      "this file, and the next start writes it again",
  );
}

/** Replaces the record of a data directory, durably and at once. */
export function writeRecord(dataDirectory: string, record: DatabaseRecord): void {
  const path = recordPath(dataDirectory);
  const draft = `${path}.new`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(record)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}

function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function parse(text: string): DatabaseRecord | undefined {
  try {
    const { file, installation, checkpoint, movingBytes } = JSON.parse(text) as Record<string, unknown>;
    if (typeof file !== "string" || !isCount(checkpoint)) return undefined;
    if (installation !== undefined && typeof installation !== "string") return undefined;
    if (movingBytes !== undefined && !isCount(movingBytes)) return undefined;
    return { file, installation, checkpoint, movingBytes };
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
