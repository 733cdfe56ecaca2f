import { pathToFileURL } from "node:url";
import { StartupError } from "../../base/startup_error.ts";
import { APPLICATION_ID } from "./application_id.ts";
import { Connection } from "./connection.ts";
import { readHeader, sizeOf } from "./database_file.ts";
import { sqliteCode } from "../../storage/constraint.ts";
import { errorMessage } from "../settings/files.ts";

/** The options of {@link checkDatabaseFile}. */
export interface StartupCheck {
  /** True if the last process did not close the file. */
  readonly wasLeftBehind: boolean;
  /** The file size up to which every page is checked. Files that were not closed are always checked. */
  readonly quickCheckBytes: number;
}

/** The size up to which indexes are compared with their tables, too, which takes ten times as long. */
const FULL_CHECK_BYTES = 8 * 1024 * 1024;
const MAGIC = "SQLite format 3\0";
const DAMAGE_CODES = /^SQLITE_(?:CORRUPT|NOTADB)/;

/**
 * Checks a database file for damage, without changing it.
 *
 * @throws StartupError if the file is damaged, cannot be read or belongs to another program
 */
export function checkDatabaseFile(path: string, check: StartupCheck): void {
  const size = sizeOf(path);
  const walSize = sizeOf(`${path}-wal`);
  if (size === 0) {
    if (walSize > 0) throw damaged(path, `it is missing or empty, but has a write-ahead log of ${walSize} bytes`);
    return;
  }
  const headerError = checkHeader(path, size, walSize);
  if (headerError !== undefined) throw damaged(path, headerError);
  const isThorough = check.wasLeftBehind || walSize > 0 || size <= check.quickCheckBytes;
  const isSmall = isThorough && size + walSize <= FULL_CHECK_BYTES;
  const pageError = checkPages(path, isSmall ? "integrity_check" : isThorough ? "quick_check" : undefined);
  if (pageError !== undefined) throw damaged(path, pageError);
}

/** Returns what is wrong with the header, or undefined. */
function checkHeader(path: string, size: number, walSize: number): string | undefined {
  const header = readHeader(path);
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return "it does not start with the SQLite header";
  const rawPageSize = header.readUInt16BE(16);
  const pageSize = rawPageSize === 1 ? 65536 : rawPageSize;
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0) return `its header has the invalid page size ${pageSize}`;
  const countIsValid = header.readUInt32BE(24) === header.readUInt32BE(92);
  const expected = header.readUInt32BE(28) * pageSize;
  // The missing pages may still be in the write-ahead log.
  if (walSize === 0 && countIsValid && expected > size) return `it has ${size} bytes instead of ${expected}`;
  return undefined;
}

/** Checks the content with a read-only connection and returns what is damaged, or undefined. */
function checkPages(path: string, check: "integrity_check" | "quick_check" | undefined): string | undefined {
  try {
    const connection = new Connection(`${pathToFileURL(path).href}?mode=ro`, []);
    try {
      connection.query("select count(*) from sqlite_master");
      checkApplicationId(path, Number(connection.query("pragma application_id")[0]?.[0]));
      const result = check === undefined ? "ok" : connection.query(`pragma ${check}(1)`)[0]?.[0];
      return result === "ok" ? undefined : String(result);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (error instanceof Error && DAMAGE_CODES.test(sqliteCode(error) ?? "")) return error.message;
    throw new StartupError(`cannot read the database "${path}": ${errorMessage(error)}`, { cause: error });
  }
}

/** A file without an application id may be new. */
function checkApplicationId(path: string, applicationId: number): void {
  if (applicationId === 0 || applicationId === APPLICATION_ID) return;
  throw new StartupError(`"${path}" belongs to another program: its application id is ${applicationId}`);
}

/** Returns the error of a start that a damaged file ended, and any other error unchanged. */
export function asDamage(path: string, error: unknown): unknown {
  return error instanceof Error && DAMAGE_CODES.test(sqliteCode(error) ?? "") ? damaged(path, error.message) : error;
}

function damaged(path: string, cause: string): StartupError {
  return new StartupError(
    `the database "${path}" is damaged: ${cause}; to return to the last backup, stop every process that uses the ` +
      `database and run "restore <file> --force"`,
  );
}
