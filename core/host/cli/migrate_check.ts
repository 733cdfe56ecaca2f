import { existsSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { StartupError } from "../../base/startup_error.ts";
import { migrationsOfAll, requireAllUnchanged } from "../../kernel/migrate.ts";
import type { StorageEngine } from "../../storage/engine.ts";
import type { Migrations } from "../../storage/migrate/migrations.ts";
import { type PendingMigrations, pendingMigrations } from "../../storage/migrate/schema_check.ts";
import { openRemoteEngine } from "../../storage/remote/engine.ts";
import { type DiskSpace, requireFreeSpace, spaceFor } from "../backup/format/private_file.ts";
import { snapshotBytes } from "../backup/snapshot_size.ts";
import { EXIT } from "../api_cli/exit_codes.ts";
import { loadPlugins } from "../load/load_plugins.ts";
import { localPath } from "../settings/database_path.ts";
import { readEnvironment } from "../settings/environment.ts";
import { sizeText } from "../settings/files.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { Connection } from "../sqlite/connection.ts";
import { sizeOf } from "../sqlite/database_file.ts";
import { mismatchOf } from "../sqlite/database_identity.ts";

/** The changes that a start, or `migrate`, would make to a database. */
interface MigrationPlan {
  /** The path of the database, or the address of a remote one. */
  readonly database: string;
  readonly pending: readonly PendingMigrations[];
  /** The backup that would come first; undefined if none would. */
  readonly backup: DiskSpace | undefined;
}

/**
 * Runs `migrate --check`: says which migrations a start would run, and changes nothing. The exit code is 0 if there are
 * none, 8 if there are some, and 78 if the start would be refused.
 *
 * @returns lines for the operator, or one line of JSON
 * @throws StartupError with all reasons for which the start would be refused
 */
export async function checkMigrations(asJson: boolean): Promise<string[]> {
  const settings = await readSettings(readEnvironment());
  const uses = await loadPlugins(settings);
  const all = migrationsOfAll(uses.map(({ plugin }) => plugin));
  const path = localPath(settings);
  const plan = path === undefined ? await remotePlan(settings, all) : await localPlan(settings, path, all);
  if (plan.pending.length > 0) process.exitCode = EXIT.differs;
  return asJson ? [JSON.stringify(plan)] : describe(plan);
}

async function localPlan(settings: Settings, path: string, all: readonly Migrations[]): Promise<MigrationPlan> {
  const mismatch = mismatchOf(settings.dataDirectory, path);
  if (mismatch !== undefined) throw new StartupError(mismatch);
  if (sizeOf(path) === 0) return { database: path, pending: await pendingOf(NO_TABLES, all), backup: undefined };
  // Without a log, a reader would create one, and the database must stay as it is.
  const mode = existsSync(`${path}-wal`) ? "mode=ro" : "mode=ro&immutable=1";
  const connection = new Connection(`${pathToFileURL(path).href}?${mode}`, ["wal_autocheckpoint = 0"]);
  try {
    const reader = { writable: false, run: connection.run.bind(connection) };
    const pending = await pendingOf({ reader }, all);
    const isUpgrade = pending.some((one) => one.isUpgrade);
    return { database: path, pending, backup: isUpgrade ? backupSpace(connection, settings) : undefined };
  } finally {
    connection.close();
  }
}

async function remotePlan(settings: Settings, all: readonly Migrations[]): Promise<MigrationPlan> {
  const { url, token } = settings.database;
  const engine = await openRemoteEngine({ url, token });
  try {
    return { database: url, pending: await pendingOf(engine, all), backup: undefined };
  } finally {
    await engine.close();
  }
}

type Reader = Pick<StorageEngine, "reader">;

/** A database without tables. */
const NO_TABLES: Reader = {
  reader: { writable: false, run: () => ({ columns: [], rows: [], changes: 0n }) },
};

/** @throws StartupError with a line for each migration that has changed, or that this release does not know */
async function pendingOf(engine: Reader, all: readonly Migrations[]): Promise<readonly PendingMigrations[]> {
  const [unchanged, pending] = await Promise.allSettled([
    requireAllUnchanged(engine, all),
    pendingMigrations(engine, all),
  ]);
  const errors = [unchanged, pending].flatMap((outcome) => {
    if (outcome.status === "fulfilled") return [];
    if (!(outcome.reason instanceof StartupError)) throw outcome.reason;
    return outcome.reason.errors;
  });
  if (errors.length > 0 || pending.status === "rejected") throw new StartupError(errors);
  return pending.value;
}

/** @throws StartupError if the disk has no room for the backup */
function backupSpace(connection: Connection, { dataDirectory }: Settings): DiskSpace {
  const bytes = snapshotBytes(connection);
  requireFreeSpace(dataDirectory, bytes, "backup before the migrations");
  return spaceFor(dataDirectory, bytes);
}

function describe({ database, pending, backup }: MigrationPlan): string[] {
  if (pending.length === 0) return [`${database}: all tables are up to date`];
  const count = pending.reduce((sum, { names }) => sum + names.length, 0);
  return [
    `${database}: ${count} ${count === 1 ? "migration" : "migrations"} would run`,
    ...pending.map(({ owner, names, isUpgrade }) =>
      `  ${owner}: ${names.join(", ")}${isUpgrade ? "" : " (no tables yet)"}`
    ),
    backup === undefined
      ? "no backup would be made before them"
      : `a backup of ${sizeText(backup.neededBytes)} would be made before them; the disk has ${
        sizeText(backup.freeBytes)
      } free`,
  ];
}
