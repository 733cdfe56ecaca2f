import { type Migration, Migrator } from "kysely/migration";
import { RpcError } from "../../base/errors.ts";
import { StartupError } from "../../base/startup_error.ts";
import type { StorageEngine, TableScope } from "../engine.ts";
import { sessionKysely } from "../executor.ts";
import { recordHashes } from "./migration_hashes.ts";
import type { Migrations } from "./migrations.ts";
import { changedTables } from "../guard/schema_map.ts";

/** The error for a migration that failed by itself. */
export class MigrationError extends StartupError {}

const MAINTENANCE: TableScope = { owner: "kernel", tables: undefined };

/**
 * Migrates the tables of one owner in one immediate transaction, which is rolled back after an error.
 *
 * @returns the names of the migrations that ran
 * @throws StartupError that names the failed migration and the cause
 */
export async function migrate(engine: StorageEngine, wanted: Migrations): Promise<string[]> {
  const { owner, tables, migrations } = wanted;
  return await engine.migrate(async (session) => {
    const maintenance = sessionKysely<unknown>(session, MAINTENANCE);
    const guarded = sessionKysely<never>(session, { owner, tables });
    const guardedMigrations: Record<string, Migration> = {};
    for (const [name, { up }] of Object.entries(migrations)) {
      guardedMigrations[name] = {
        up: async () => {
          const before = await session.schema();
          await up(guarded);
          const foreign = [...changedTables(before, await session.schema())].filter((table) => !tables.has(table));
          if (foreign.length > 0) throw new Error(`plugin "${owner}" may not use table "${foreign.join('", "')}"`);
        },
      };
    }
    const migrator = new Migrator({
      db: maintenance,
      provider: { getMigrations: () => Promise.resolve(guardedMigrations) },
      migrationTableName: `migration_${owner}`,
      // Shared, because the lock table of a plugin "a" would be the migration table of a plugin "a_lock".
      migrationLockTableName: "kernel_migration_lock",
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) {
      const failed = results?.find(({ status }) => status === "Error")?.migrationName;
      const cause = error instanceof Error ? error.message : String(error);
      const prefix = failed === undefined ? "" : `migration "${failed}" failed: `;
      // a database that cannot be used is no failure of the plugin
      const isOwn = failed !== undefined && !(error instanceof RpcError);
      throw new (isOwn ? MigrationError : StartupError)(`plugin "${owner}": ${prefix}${cause}`, { cause: error });
    }
    const ran = results?.map(({ migrationName }) => migrationName) ?? [];
    await recordHashes(session, wanted, ran);
    return ran;
  });
}
