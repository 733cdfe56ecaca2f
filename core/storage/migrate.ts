import { type Migration, Migrator } from "kysely/migration";
import { StartupError } from "../startup_error.ts";
import type { StorageEngine, TableScope } from "./engine.ts";
import { sessionKysely } from "./executor.ts";
import { changedTables } from "./schema_map.ts";

const UPKEEP: TableScope = { owner: "kernel", tables: undefined };

/** Whose migrations they are, and which tables they may make. */
export interface Migrations {
  readonly owner: string;
  readonly tables: ReadonlySet<string>;
  readonly migrations: Readonly<Record<string, Migration>>;
}

/**
 * Brings one owner's tables up to date, in one immediate transaction: a failure leaves no trace of the run.
 *
 * @returns the names of the migrations that ran
 * @throws StartupError that names the migration and the cause
 */
export function migrate(engine: StorageEngine, { owner, tables, migrations }: Migrations): Promise<string[]> {
  return engine.migrate(async (session) => {
    const upkeep = sessionKysely<unknown>(session, UPKEEP);
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
      db: upkeep,
      provider: { getMigrations: () => Promise.resolve(guardedMigrations) },
      migrationTableName: `migration_${owner}`,
      // One for all: that of a plugin "a" would be the migration table of a plugin "a_lock".
      migrationLockTableName: "kernel_migration_lock",
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) {
      const failed = results?.find((one) => one.status === "Error")?.migrationName;
      const cause = error instanceof Error ? error.message : String(error);
      const which = failed === undefined ? "" : `migration "${failed}" failed: `;
      throw new StartupError(`plugin "${owner}": ${which}${cause}`, { cause: error });
    }
    return results?.map((one) => one.migrationName) ?? [];
  });
}
