import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { StartupError } from "../../base/startup_error.ts";
import { APPLICATION_ID } from "./application_id.ts";
import { Connection } from "./connection.ts";
import { sqliteCode } from "../../storage/constraint.ts";

/** How thoroughly to look at a database file. */
export interface StartupCheck {
  /** Whether the last process that had it went without closing it. */
  readonly wasLeftBehind: boolean;
  /** Every page is read if the file is at most this large, or was left behind. */
  readonly quickCheckBytes: number;
}

const MAGIC = "SQLite format 3\0";
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/;

/**
 * Looks for damage in a database file, without a change to it. Call it before the process opens the file otherwise:
 * closing the plain file would drop the process's locks on it.
 */
export function checkDatabaseFile(path: string, check: StartupCheck): void {
  const size = sizeOf(path);
  const walSize = sizeOf(`${path}-wal`);
  if (size === 0) {
    if (walSize > 0) throw damaged(path, `it is missing or empty beside a write-ahead log of ${walSize} bytes`);
    return;
  }
  const fault = headerFault(path, size, walSize);
  if (fault !== undefined) throw damaged(path, fault);
  const isThorough = check.wasLeftBehind || walSize > 0 || size <= check.quickCheckBytes;
  const found = probe(path, isThorough);
  if (found !== undefined) throw damaged(path, found);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function headerFault(path: string, size: number, walSize: number): string | undefined {
  const header = readHeader(path);
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return "it does not begin with the header of SQLite";
  const rawPageSize = header.readUInt16BE(16);
  const pageSize = rawPageSize === 1 ? 65536 : rawPageSize;
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0) return `its header names a page size of ${pageSize}`;
  const countIsValid = header.readUInt32BE(24) === header.readUInt32BE(92);
  const expected = header.readUInt32BE(28) * pageSize;
  // with a write-ahead log the end of the file may still lie there
  if (walSize === 0 && countIsValid && expected > size) return `it has ${size} bytes of ${expected}`;
  return undefined;
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  try {
    readSync(file, header);
  } finally {
    closeSync(file);
  }
  return header;
}

/** Reads through SQLite, which cannot write here, not even a checkpoint. */
function probe(path: string, isThorough: boolean): string | undefined {
  try {
    const connection = new Connection(`${pathToFileURL(path).href}?mode=ro`, []);
    try {
      connection.query("select count(*) from sqlite_master");
      requireOwn(path, Number(connection.query("pragma application_id")[0]?.[0]));
      const found = isThorough ? connection.query("pragma quick_check(1)")[0]?.[0] : "ok";
      return found === "ok" ? undefined : String(found);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (error instanceof Error && DAMAGE.test(sqliteCode(error) ?? "")) return error.message;
    const fault = error instanceof Error ? error.message : String(error);
    throw new StartupError(`cannot read the database "${path}": ${fault}`, { cause: error });
  }
}

/** A file that has no application id yet may be new. */
function requireOwn(path: string, applicationId: number): void {
  if (applicationId === 0 || applicationId === APPLICATION_ID) return;
  throw new StartupError(`"${path}" is the database of another program: its application id is ${applicationId}`);
}

function damaged(path: string, fault: string): StartupError {
  return new StartupError(
    `the database "${path}" is damaged: ${fault}; to go on with the last backup, stop every process that uses it and ` +
      `run "restore <file> --force"`,
  );
}
