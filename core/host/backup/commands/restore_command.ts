import { link, mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { InstallationKey } from "../../../auth/installation_key.ts";
import { StartupError } from "../../../base/startup_error.ts";
import { openDataDirectory } from "../../load/data_directory.ts";
import { expectedInstallation } from "../../load/expected_installation.ts";
import { findInstallationKey } from "../../load/installation_key.ts";
import { requireLocalPath } from "../../settings/database_path.ts";
import { type Environment, readEnvironment } from "../../settings/environment.ts";
import { errorMessage, exists, sizeText, syncDirectory } from "../../settings/files.ts";
import { readSettings } from "../../settings/settings.ts";
import { Connection } from "../../sqlite/connection.ts";
import { recordRestored } from "../../sqlite/database_identity.ts";
import { ProcessLock } from "../../sqlite/process_lock.ts";
import { parseFileAndForce } from "./arguments.ts";
import { inspect, type InstallationInfo, keyIdOf } from "../inspect.ts";
import { writePrivate } from "../format/private_file.ts";
import { Progress } from "../progress.ts";
import { openSource, type RestoreSource, SOURCE_USAGE } from "./restore_source.ts";

/**
 * Runs `restore <file, s3:// address or latest> [--force]`: replaces the database by a backup, atomically, once the
 * whole backup was read and checked.
 *
 * @returns lines for the operator
 */
export async function restore(args: readonly string[]): Promise<string[]> {
  const { file, force } = parseFileAndForce("restore", args, SOURCE_USAGE);
  const environment = readEnvironment();
  const settings = await readSettings(environment);
  const target = requireLocalPath(settings);
  await openDataDirectory(settings.dataDirectory);
  const findKey = () => findInstallationKey({ env: environment, dataDirectory: settings.dataDirectory, remote: false });
  const source = await openSource(file, settings, findKey);
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
      await copyVerified(source, draft);
      const installation = inspect(draft);
      requireExpected(installation, environment);
      const keyNotice = await checkedKey(installation, await findKey());
      const previous = hasPrevious ? await keepPrevious(target) : undefined;
      await mkdir(settings.dataDirectory, { recursive: true, mode: 0o700 });
      recordRestored(settings.dataDirectory, target, draft, installation.installationId);
      await rename(draft, target);
      await syncDirectory(dirname(target));
      isRestored = true;
      return [
        `restored installation ${installation.installationId} into ${target} (${sizeText(source.bytes)})`,
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

/** Copies the content of a backup, which is verified while it is read. */
async function copyVerified({ bytes, chunks }: RestoreSource, draft: string): Promise<void> {
  const progress = new Progress("restore");
  try {
    await writePrivate(draft, chunks(), (written) => progress.show(written, bytes));
  } finally {
    progress.end();
  }
}

function requireExpected({ installationId }: InstallationInfo, environment: Environment): void {
  const expected = expectedInstallation(environment);
  if (expected === undefined || expected === installationId) return;
  throw new StartupError(
    `the backup is of installation ${installationId}, but EDGEHELM_INSTALLATION names ${expected}: change or unset it`,
  );
}

async function checkedKey(installation: InstallationInfo, key: InstallationKey | undefined): Promise<string> {
  const keyId = keyIdOf(installation);
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
