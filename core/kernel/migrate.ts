import type { InstallationKey } from "../auth/installation_key.ts";
import { KeyRotation } from "../auth/key_rotation.ts";
import { database, type Db } from "../storage/database.ts";
import type { StorageEngine } from "../storage/engine.ts";
import { derivedMigrations, migrationsOf, type Plugin, tablesOf } from "../plugin_api/plugin.ts";
import { KERNEL_SCOPE, type KernelTables } from "../storage/kernel_tables.ts";
import { migrate, MigrationError } from "../storage/migrate/migrate.ts";
import { adoptHashes, requireUnchanged, storedHashes } from "../storage/migrate/migration_hashes.ts";
import type { Migrations } from "../storage/migrate/migrations.ts";
import { type PendingMigrations, pendingMigrations, requireMigrated } from "../storage/migrate/schema_check.ts";
import { StartupError } from "../base/startup_error.ts";
import type { Degradation } from "./degradation.ts";
import type { CheckedPlugin } from "./check/check.ts";
import { InstallationState, requireInstallation } from "./installation_state.ts";
import { KERNEL_MIGRATIONS } from "./migrations/mod.ts";
import type { SystemCalls } from "./system_calls.ts";

export interface MigrateOptions {
  readonly engine: StorageEngine;
  readonly installationKey: InstallationKey;
  /** Reads the configured key again; left out if it cannot change while the process runs. */
  readonly readInstallationKey?: (() => Promise<InstallationKey>) | undefined;
  /** False if migrations run separately, as on edge runtimes. */
  readonly migrate: boolean;
  /** The id of the installation that the database must hold, if it is known. */
  readonly expectedInstallation?: string | undefined;
  /** Called before migrations of owners that have rows already. The start is refused if it throws. */
  readonly beforeUpgrade?: ((pending: readonly PendingMigrations[]) => Promise<void>) | undefined;
}

/** A database whose schema is that of this release. */
export interface MigratedDatabase {
  readonly db: Db<KernelTables>;
  readonly state: InstallationState;
  readonly rotation: KeyRotation;
  /** @throws StartupError if the database schema is that of another release */
  checkSchema(): Promise<void>;
}

/**
 * The second phase of a boot: migrates the tables of the kernel and of the plugins, or checks that this was done, and
 * checks that the database belongs to the installation key.
 *
 * @throws StartupError
 */
export async function migrateDatabase(
  plugins: readonly CheckedPlugin[],
  calls: SystemCalls,
  options: MigrateOptions,
  degradation: Degradation,
): Promise<MigratedDatabase> {
  const { engine, installationKey, readInstallationKey, migrate: mayMigrate, expectedInstallation } = options;
  const own = plugins.map(({ use }) => use.plugin);
  const all = migrationsOfAll(own);
  const checkSchema = () => requireMigrated(engine, all);
  let pending: readonly PendingMigrations[] = [];
  const isPending = ({ owner }: Migrations) => pending.some((one) => one.owner === owner);
  if (expectedInstallation !== undefined) await requireInstallation(engine, expectedInstallation);
  if (mayMigrate) {
    await requireAllUnchanged(engine, all);
    pending = await pendingMigrations(engine, all);
    const upgrades = pending.filter(({ isUpgrade }) => isUpgrade);
    if (upgrades.length > 0) await options.beforeUpgrade?.(upgrades);
    if (isPending(KERNEL_MIGRATIONS)) await migrate(engine, KERNEL_MIGRATIONS);
  } else await checkSchema();
  const db = database<KernelTables>(KERNEL_SCOPE);
  const state = new InstallationState(db);
  const rotation = new KeyRotation(db, {
    configured: installationKey,
    readConfigured: readInstallationKey,
    systemCall: () => calls.system("installation key"),
  });
  await rotation.load(calls.system("start"));
  if (mayMigrate) {
    for (const [index, { manifest }] of own.entries()) {
      degradation.spread(own);
      const wanted = all[index + 1]!;
      if (degradation.has(manifest.name) || !isPending(wanted)) continue;
      await migrate(engine, wanted).catch((error) => {
        if (!degradation.isAllowed || !(error instanceof MigrationError)) throw error;
        degradation.fail(manifest, error.message);
      });
    }
    const done = all.filter(({ owner }) => !degradation.has(owner));
    await adoptHashes(engine, done, await storedHashes(engine));
  }
  return { db, state, rotation, checkSchema };
}

/** Returns the migrations of the kernel and of plugins, in the order in which they run. */
export function migrationsOfAll(plugins: readonly Plugin[]): readonly Migrations[] {
  return [KERNEL_MIGRATIONS, ...plugins.map(migrationsOfPlugin)];
}

function migrationsOfPlugin(plugin: Plugin): Migrations {
  return {
    owner: plugin.manifest.name,
    tables: new Set(tablesOf(plugin)),
    migrations: migrationsOf(plugin),
    unhashed: derivedMigrations(plugin),
  };
}

/** @throws StartupError with a line for each migration of any owner that has changed since it ran */
export async function requireAllUnchanged(
  engine: Pick<StorageEngine, "reader">,
  all: readonly Migrations[],
): Promise<void> {
  const stored = await storedHashes(engine);
  const errors: string[] = [];
  for (const wanted of all) {
    await requireUnchanged(wanted, stored).catch((error) => {
      if (!(error instanceof StartupError)) throw error;
      errors.push(...error.errors);
    });
  }
  if (errors.length > 0) throw new StartupError(errors);
}
