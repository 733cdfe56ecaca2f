import { constants } from "node:fs";
import { access, mkdir, mkdtemp, rmdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import process from "node:process";
import { isMainThread } from "node:worker_threads";
import { StartupError } from "../../base/startup_error.ts";
import { errorMessage, exists, hasCode } from "../settings/files.ts";

const OTHERS = 0o077;

/** Makes every file that this process creates from now on one that its owner alone can read. */
export function hideFilesFromOthers(): void {
  // a worker has the mask of its process, and may not change it
  if (isMainThread) process.umask(OTHERS);
}

/**
 * Creates the data directory, which only its owner can enter, or checks the one that is there.
 *
 * @throws StartupError with the command that mends the directory
 */
export async function openDataDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    if (hasCode(cause, "EEXIST") || hasCode(cause, "ENOTDIR")) {
      throw new StartupError(`the data directory "${path}" is not a directory; set EDGEHELM_DATA to one`, { cause });
    }
    throw cause;
  });
  await requireDataDirectory(path);
}

/**
 * Checks a data directory, if it exists.
 *
 * @throws StartupError with the command that mends it
 */
export async function requireDataDirectory(path: string): Promise<void> {
  if (!await exists(path)) return;
  const error = await ownerError("data directory", path) ?? await modeError(path) ?? await writeError(path);
  if (error !== undefined) throw new StartupError(error);
}

/**
 * Checks a database file that is not in the data directory: its own mode must protect it.
 *
 * @throws StartupError with the command that mends it
 */
export async function requireOwnFile(path: string, dataDirectory: string): Promise<void> {
  const isInside = !/^(?:\.\.|\/|[A-Za-z]:)/.test(relative(dataDirectory, path));
  if (isInside || !await exists(path)) return;
  const error = await ownerError("database", path) ?? await fileModeError(path);
  if (error !== undefined) throw new StartupError(error);
}

async function ownerError(what: string, path: string): Promise<string | undefined> {
  const [user, group] = [process.geteuid?.(), process.getegid?.()];
  const { uid } = await stat(path);
  if (process.platform === "win32" || user === undefined || uid === user) return undefined;
  return `the ${what} "${path}" belongs to user ${uid}, and this process runs as user ${user}: run it as user ${uid}, ` +
    `or run: chown -R ${user}:${group} ${quoted(path)}`;
}

async function modeError(path: string): Promise<string | undefined> {
  if (!await isOpenToOthers(path) || !await keepsModes(path)) return undefined;
  return `other users of this machine can enter the data directory "${path}"; run: chmod 700 ${quoted(path)}`;
}

async function fileModeError(path: string): Promise<string | undefined> {
  if (!await isOpenToOthers(path)) return undefined;
  return `other users of this machine can read the database "${path}"; run: chmod 600 ${quoted(path)}`;
}

async function writeError(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (hasCode(error, "EROFS")) return readOnlyText(path);
    if (hasCode(error, "EACCES")) return `the data directory "${path}" cannot be used; run: chmod 700 ${quoted(path)}`;
    return `the data directory "${path}" cannot be used (${errorMessage(error)}); set EDGEHELM_DATA to another one`;
  }
}

export function readOnlyText(path: string): string {
  return `the data directory "${path}" is on a read-only file system; mount it writable, or set EDGEHELM_DATA to ` +
    "another one";
}

async function isOpenToOthers(path: string): Promise<boolean> {
  return process.platform !== "win32" && ((await stat(path)).mode & OTHERS) !== 0;
}

/** Returns whether the file system keeps modes. FAT and shares of other systems show the same mode for everything. */
async function keepsModes(path: string): Promise<boolean> {
  try {
    const probe = await mkdtemp(join(path, ".modes-"));
    try {
      return !await isOpenToOthers(probe);
    } finally {
      await rmdir(probe);
    }
  } catch {
    return true;
  }
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
