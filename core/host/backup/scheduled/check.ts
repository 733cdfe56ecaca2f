import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import semver from "semver";
import type { InstallationKey } from "../../../auth/installation_key.ts";
import { StartupError } from "../../../base/startup_error.ts";
import { PROGRAM_VERSION } from "../../../base/version.ts";
import { type BackupFacts, openBackup } from "../format/encryption.ts";
import { keyIdOf } from "../inspect.ts";
import { requireFreeSpace, writePrivate } from "../format/private_file.ts";
import { inspectInProcess } from "../snapshot.ts";
import type { BackupStore } from "../stores/store.ts";

/**
 * Restores a stored backup into a temporary file and checks it as `restore` does: its encryption, every page and index,
 * the installation, the number of tables and rows, and that this release can read it.
 *
 * @param draft the path of the temporary file, which is removed
 * @throws StartupError with the first thing that is wrong
 */
export async function checkStored(
  store: BackupStore,
  name: string,
  draft: string,
  keys: readonly InstallationKey[],
  signal: AbortSignal,
): Promise<BackupFacts> {
  try {
    const { chunks } = await store.get(name, signal);
    const { facts, content } = await openBackup(chunks, name);
    const key = keys.find(({ id }) => id === facts.keyId) ?? keys[0]!;
    requireFreeSpace(dirname(draft), facts.bytes, "check of a backup");
    await writePrivate(draft, content(key));
    const found = await inspectInProcess(draft, signal);
    requireSame(name, "installation", facts.installationId, found.installationId);
    requireSame(name, "installation key", facts.keyId, keyIdOf(found));
    requireSame(name, "number of tables", facts.tables, found.tables);
    requireSame(name, "number of rows", facts.rows, found.rows);
    requireReadable(name, facts.version);
    return facts;
  } finally {
    await rm(draft, { force: true });
  }
}

function requireSame(name: string, subject: string, expected: string | number, found: string | number): void {
  if (found === expected) return;
  throw new StartupError(`"${name}" is not what was backed up: its ${subject} is ${found}, not ${expected}`);
}

function requireReadable(name: string, version: string): void {
  if (semver.valid(version) !== null && semver.lte(version, PROGRAM_VERSION)) return;
  throw new StartupError(`"${name}" was made by release ${version}, which is newer than this one, ${PROGRAM_VERSION}`);
}
