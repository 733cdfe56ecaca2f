import type { InstallationKey } from "../auth/installation_key.ts";
import { KeyRotation } from "../auth/key_rotation.ts";
import { database, type Db } from "../storage/database.ts";
import type { StorageEngine } from "../storage/engine.ts";
import { migrationsOf, tablesOf } from "../plugin_api/plugin.ts";
import { KERNEL_SCOPE, type KernelTables } from "../storage/kernel_tables.ts";
import { migrate } from "../storage/migrate/migrate.ts";
import type { Migrations } from "../storage/migrate/migrations.ts";
import { requireMigrated } from "../storage/migrate/schema_check.ts";
import type { CheckedPlugin } from "./check.ts";
import { InstallationState } from "./installation_state.ts";
import { KERNEL_MIGRATIONS } from "./migrations/mod.ts";
import type { SystemCalls } from "./system_calls.ts";

export interface MigrateOptions {
  readonly engine: StorageEngine;
  readonly installationKey: InstallationKey;
  /** Reads the configured key again; left out if it cannot change while the process runs. */
  readonly readInstallationKey?: (() => Promise<InstallationKey>) | undefined;
  /** False if migrations run separately, as on edge runtimes. */
  readonly migrate: boolean;
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
  { engine, installationKey, readInstallationKey, migrate: mayMigrate }: MigrateOptions,
): Promise<MigratedDatabase> {
  const pluginTables = plugins.map(({ use: { plugin } }): Migrations => (
    { owner: plugin.manifest.name, tables: new Set(tablesOf(plugin)), migrations: migrationsOf(plugin) }
  ));
  const checkSchema = () => requireMigrated(engine, [KERNEL_MIGRATIONS, ...pluginTables]);
  if (mayMigrate) await migrate(engine, KERNEL_MIGRATIONS);
  else await checkSchema();
  const db = database<KernelTables>(KERNEL_SCOPE);
  const state = new InstallationState(db);
  const rotation = new KeyRotation(db, {
    configured: installationKey,
    readConfigured: readInstallationKey,
    systemCall: () => calls.system("installation key"),
  });
  await rotation.load(calls.system("start"));
  if (mayMigrate) { for (const migrations of pluginTables) await migrate(engine, migrations); }
  return { db, state, rotation, checkSchema };
}
