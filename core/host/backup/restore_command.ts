import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { StartupError } from "../../base/startup_error.ts";
import { requireLocalPath } from "../settings/database_path.ts";
import { type Environment, readEnvironment } from "../settings/environment.ts";
import { errorMessage, exists, hasCode, sizeText, syncDirectory } from "../settings/files.ts";
import { findInstallationKey } from "../load/installation_key.ts";
import { readSettings } from "../settings/settings.ts";
import { Connection } from "../sqlite/connection.ts";
import { ProcessLock } from "../sqlite/process_lock.ts";
import { parseFileAndForce } from "./arguments.ts";
import { checkedContent } from "./checksum.ts";
import { inspect, type InstallationInfo, keyIdOf } from "./inspect.ts";
import { Progress } from "./progress.ts";

/**
 * Runs `restore <file> [--force]`: replaces the database by a backup, atomically.
 *
 * @returns lines for the operator
 */
export async function restore(args: readonly string[]): Promise<string[]> {
  const { file, force } = parseFileAndForce("restore", args);
  const environment = readEnvironment();
  const settings = await readSettings(environment);
  const target = requireLocalPath(settings);
  const source = resolve(file);
  if (!await exists(source)) throw new StartupError(`the backup "${source}" does not exist`);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const lock = new ProcessLock(target);
  let isRestored = false;
  try {
    const hasPrevious = await exists(target) || await exists(`${target}-wal`);
    if (hasPrevious && !force) {
      throw new StartupError(`the database "${target}" already exists; --force renames it`);
    }
    const draft = `${target}.restoring`;
    try {
      const bytes = await copyVerified(source, draft);
      const installation = inspect(draft);
      const keyNotice = await checkKey(installation, environment, settings.dataDirectory);
      const previous = hasPrevious ? await keepPrevious(target) : undefined;
      await rename(draft, target);
      await syncDirectory(dirname(target));
      isRestored = true;
      return [
        `restored installation ${installation.installationId} into ${target} (${sizeText(bytes)})`,
        ...previous === undefined ? [] : [`renamed the previous database to ${previous}`],
        keyNotice,
      ];
    } finally {
      await rm(draft, { force: true });
    }
  } finally {
    lock.release(isRestored);
  }
}

/** Copies the content of a backup while verifying its checksum, and returns the size in bytes. */
async function copyVerified(source: string, draft: string): Promise<number> {
  const { bytes, chunks } = await checkedContent(source);
  await rm(draft, { force: true });
  const progress = new Progress("restore");
  const file = await open(draft, "wx", 0o600);
  try {
    let written = 0;
    for await (const chunk of chunks()) {
      await file.writeFile(chunk);
      progress.show(written += chunk.length, bytes);
    }
    await file.sync();
  } catch (cause) {
    if (hasCode(cause, "ENOSPC")) throw new StartupError(`no space left on the disk of "${dirname(draft)}"`, { cause });
    throw cause;
  } finally {
    await file.close();
    progress.end();
  }
  return bytes;
}

async function checkKey(installation: InstallationInfo, env: Environment, dataDirectory: string): Promise<string> {
  const keyId = keyIdOf(installation);
  const key = await findInstallationKey({ env, dataDirectory, remote: false });
  if (key === undefined) return `the installation key ${keyId} is missing: provide it before the server starts`;
  if (await key.matches(installation.keyCheck)) return `the installation key ${keyId} is present`;
  throw new StartupError(
    `the backup requires installation key ${keyId}, but the configured key is ${key.id}: set EDGEHELM_KEY or ` +
      "EDGEHELM_KEY_FILE to the right key, or replace the key file",
  );
}

/**
 * Links the current database under a second name, so that the target exists at every moment.
 *
 * @returns the second name
 */
async function keepPrevious(target: string): Promise<string> {
  const previous = `${target}.before-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  mergeWriteAheadLog(target);
  for (const suffix of ["", "-wal"]) {
    if (await exists(target + suffix)) await link(target + suffix, previous + suffix);
  }
  await syncDirectory(dirname(target));
  // These belong to the old file. SQLite would apply them to the new one.
  for (const suffix of ["-wal", "-shm"]) await rm(target + suffix, { force: true });
  return previous;
}

/** Moves the write-ahead log into the database file. If the database is damaged, this fails and both files are kept. */
function mergeWriteAheadLog(target: string): void {
  try {
    const connection = new Connection(target, []);
    try {
      connection.query("pragma journal_mode = delete");
    } finally {
      connection.close();
    }
  } catch (cause) {
    console.error(
      `the previous database cannot be closed cleanly and is kept as it is: ${errorMessage(cause)}`,
    );
  }
}
