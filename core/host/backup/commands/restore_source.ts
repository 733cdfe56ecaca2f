import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { InstallationKey } from "../../../auth/installation_key.ts";
import { systemTimers } from "../../../base/clock.ts";
import { StartupError } from "../../../base/startup_error.ts";
import { s3Address } from "../../settings/backup_settings.ts";
import { exists } from "../../settings/files.ts";
import type { Settings } from "../../settings/settings.ts";
import { checkedContent } from "../checksum.ts";
import { isEncrypted, openBackup } from "../format/encryption.ts";
import { readBackupName } from "../format/names.ts";
import type { Chunks } from "../format/pieces.ts";
import { S3Store } from "../stores/s3_store.ts";
import { openStore } from "../stores/open_store.ts";
import type { BackupStore } from "../stores/store.ts";

/** The content of a backup. */
export interface RestoreSource {
  /** The file or the address, for people. */
  readonly name: string;
  /** The size of the content. */
  readonly bytes: number;
  /** Yields the content, and throws a StartupError at the latest at the end if it is damaged. */
  chunks(): Chunks;
}

/** The forms of the argument that `openSource` reads. */
export const SOURCE_USAGE = "<file, s3:// address or latest>";

const START_BYTES = 64;

/**
 * Opens the backup that an argument of `restore` names: a file, an object in a bucket of the settings' store, or the
 * newest backup of the schedule.
 *
 * @param findKey returns the installation key, which encrypted backups need
 */
export async function openSource(
  argument: string,
  settings: Settings,
  findKey: () => Promise<InstallationKey | undefined>,
): Promise<RestoreSource> {
  if (argument === "latest") return await openLatest(settings, findKey);
  if (argument.startsWith("s3:")) return await openObject(argument, settings, findKey);
  const path = resolve(argument);
  if (!await exists(path)) throw new StartupError(`the backup "${path}" does not exist`);
  if (isEncrypted(await startOf(path))) return await openEncrypted(createReadStream(path), path, findKey);
  const { bytes, chunks } = await checkedContent(path);
  return { name: path, bytes, chunks };
}

async function openLatest(
  { backup, manifestPath }: Settings,
  findKey: () => Promise<InstallationKey | undefined>,
): Promise<RestoreSource> {
  if (backup === undefined) throw new StartupError(`${manifestPath} has no "backup": name the file to restore`);
  const store = openStore(backup.place);
  const named = (await store.list(unlimited())).flatMap(({ name }) => readBackupName(name) ?? []);
  const [newest] = named.sort((one, other) => other.madeAt - one.madeAt);
  if (newest === undefined) throw new StartupError(`"${store.place}" has no backup`);
  const installations = new Set(named.map(({ installationId }) => installationId));
  if (installations.size > 1) {
    throw new StartupError(
      `"${store.place}" has backups of ${installations.size} installations: name the file to restore`,
    );
  }
  return await openStored(store, newest.name, findKey);
}

async function openObject(
  address: string,
  { backup, manifestPath }: Settings,
  findKey: () => Promise<InstallationKey | undefined>,
): Promise<RestoreSource> {
  const { bucket, prefix } = s3Address("the backup", address);
  const [name = "", ...folders] = prefix.split("/").reverse();
  if (name === "") throw new StartupError(`"${address}" names no backup: add its name, or restore latest`);
  if (backup?.place.kind !== "s3") {
    throw new StartupError(`${manifestPath} has no "backup" with "s3", the access to it`);
  }
  const store = new S3Store({ ...backup.place, bucket, prefix: folders.reverse().join("/") }, systemTimers);
  return await openStored(store, name, findKey);
}

async function openStored(
  store: BackupStore,
  name: string,
  findKey: () => Promise<InstallationKey | undefined>,
): Promise<RestoreSource> {
  const { chunks } = await store.get(name, unlimited());
  return await openEncrypted(chunks, `${store.place.replace(/\/$/, "")}/${name}`, findKey);
}

async function openEncrypted(
  encrypted: Chunks,
  name: string,
  findKey: () => Promise<InstallationKey | undefined>,
): Promise<RestoreSource> {
  const { facts, content } = await openBackup(encrypted, name);
  const key = await findKey();
  if (key === undefined) {
    throw new StartupError(
      `"${name}" is encrypted with installation key ${facts.keyId}, which is missing: set EDGEHELM_KEY or ` +
        "EDGEHELM_KEY_FILE, or put the key file into the data directory",
    );
  }
  return { name, bytes: facts.bytes, chunks: () => content(key) };
}

/** The operator ends the command, which has no other time limit. */
function unlimited(): AbortSignal {
  return new AbortController().signal;
}

async function startOf(path: string): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
