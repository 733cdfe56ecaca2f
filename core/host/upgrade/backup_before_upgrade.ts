import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { StartupError } from "../../base/startup_error.ts";
import { PROGRAM_VERSION } from "../../base/version.ts";
import type { PendingMigrations } from "../../storage/migrate/schema_check.ts";
import { appendChecksum, checkedContent } from "../backup/checksum.ts";
import { createPrivate } from "../backup/format/private_file.ts";
import { Progress } from "../backup/progress.ts";
import { snapshot } from "../backup/snapshot.ts";
import { errorMessage, sizeText, syncDirectory } from "../settings/files.ts";

/** The number of backups that are kept. */
const KEPT = 3;
/** The header of the file counts checkpoints, so that it differs although nothing was written. */
const HEADER_BYTES = 100;
const NAME = /^before-[\w.+-]+-\d{8}T\d{9}Z\.backup$/;

export interface UpgradeBackupOptions {
  /** The path of the database. */
  readonly database: string;
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Returns the folder of the backups that upgrades make. */
export function upgradeFolder(dataDirectory: string): string {
  return join(dataDirectory, "before-upgrades");
}

/**
 * Backs up the database before its migrations run, and reads the backup again to verify it: each page and index of the
 * copy, and the checksum of the file. The newest three of these backups are kept; a start that repeats one after a
 * failed migration keeps the one that has the same content.
 *
 * @returns the path of the backup
 * @throws StartupError if the backup cannot be made or is not what was written; nothing was migrated then
 */
export async function backupBeforeUpgrade(
  { database, dataDirectory, clock, log }: UpgradeBackupOptions,
  pending: readonly PendingMigrations[],
): Promise<string> {
  const folder = upgradeFolder(dataDirectory);
  const path = join(folder, nameOf(clock));
  const draft = `${path}.partial`;
  const progress = new Progress("backup");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeDrafts(folder);
    await createPrivate(draft);
    const { tables, rows } = await snapshot({ source: database, target: draft }, progress.show);
    await appendChecksum(draft);
    await sync(draft);
    await verify(draft);
    const same = await backupLike(draft, folder);
    if (same !== undefined) {
      log.info("backed up before an upgrade already", { path: same });
      return same;
    }
    await rename(draft, path);
    await syncDirectory(folder);
    const { size } = await stat(path);
    const migrations = pending.reduce((sum, { names }) => sum + names.length, 0);
    log.info("backed up before an upgrade", { path, size: sizeText(size), tables, rows, migrations });
  } catch (cause) {
    throw new StartupError(
      `nothing was migrated, because the backup before it failed: ${errorMessage(cause)}; make room or repair the ` +
        "database, or start with --without-backup if you have a backup of your own",
      { cause },
    );
  } finally {
    progress.end();
    await rm(draft, { force: true }).catch(() => undefined);
  }
  await removeOldest(folder, log);
  return path;
}

/** Returns a name with the release that migrates, and the time in UTC. */
function nameOf(clock: Clock): string {
  const time = new Date(clock.now()).toISOString().replace(/[-:.]/g, "");
  return `before-${PROGRAM_VERSION}-${time}.backup`;
}

/** Reads the whole file back from the disk. */
async function verify(path: string): Promise<void> {
  const { chunks } = await checkedContent(path);
  for await (const _ of chunks()) {
    // only the checksum at the end counts
  }
}

/** Returns the newest backup if it has the content of a new one. */
async function backupLike(draft: string, folder: string): Promise<string | undefined> {
  const [newest] = await backupsIn(folder);
  if (newest === undefined || (await stat(newest)).size !== (await stat(draft)).size) return undefined;
  return await contentHash(newest) === await contentHash(draft) ? newest : undefined;
}

async function contentHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  const { bytes } = await checkedContent(path);
  for await (const chunk of createReadStream(path, { start: HEADER_BYTES, end: bytes - 1 })) hash.update(chunk);
  return hash.digest("hex");
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes what a start left behind that was killed. This process holds the lock of the database, so no other writes. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.endsWith(".partial") && NAME.test(withoutEnding(name)));
  for (const name of drafts) await rm(join(folder, name), { force: true });
}

function withoutEnding(name: string): string {
  return name.slice(0, -".partial".length);
}

/** Removes all but the newest backups. One that cannot be removed does not stop the upgrade. */
async function removeOldest(folder: string, log: Logger): Promise<void> {
  for (const path of (await backupsIn(folder)).slice(KEPT)) {
    await rm(path).catch((error) => log.warn("cannot remove an old backup", { path, error: errorMessage(error) }));
  }
}

/** Returns the paths of the backups, the newest first. */
async function backupsIn(folder: string): Promise<string[]> {
  const time = (name: string) => name.slice(-"00000000T000000000Z.backup".length);
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  return names.sort((one, other) => time(one) < time(other) ? 1 : -1).map((name) => join(folder, name));
}
