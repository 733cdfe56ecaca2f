import type { MigrationSession, SqlValue, StorageEngine, TableScope } from "../engine.ts";
import { isVirtual, type SchemaObjects, virtualTableOf } from "../guard/schema_map.ts";
import { existingTables } from "../row_counts.ts";

const MAINTENANCE: TableScope = { owner: "kernel", tables: undefined };

/** The data of a plugin in a database. */
export interface OwnedData {
  readonly owner: string;
  /** Its tables, the derived ones too. */
  readonly tables: readonly string[];
  readonly services: readonly string[];
}

/** Deletes the tables of a plugin, the record of its migrations and what the kernel keeps for it, in one transaction. */
export async function deleteOwned(engine: StorageEngine, { owner, tables, services }: OwnedData): Promise<void> {
  await engine.migrate(async (session) => {
    const existing = await existingTables(session);
    const shadows = foreignShadows(await session.schema(), tables);
    for (const table of [...tables, `migration_${owner}`]) {
      if (existing.has(table) && !shadows.has(table)) await run(session, `drop table "${table}"`);
    }
    if (existing.has("kernel_migration_hashes")) {
      await run(session, "delete from kernel_migration_hashes where owner = ?", [owner]);
    }
    const prefixes = [
      ...["kernel_leases", "kernel_job_runs"].map((table) => ({ table, column: "name", start: `${owner}.` })),
      ...services.map((service) => ({ table: "kernel_idempotency", column: "operation", start: `/${service}/` })),
    ];
    for (const { table, column, start } of prefixes) {
      if (!existing.has(table)) continue;
      await run(session, `delete from ${table} where substr(${column}, 1, ${start.length}) = ?`, [start]);
    }
  });
}

/** Returns those of the tables that hold the full text search of a table that is not among them. */
function foreignShadows(schema: SchemaObjects, tables: readonly string[]): ReadonlySet<string> {
  const owned = new Set(tables.map((table) => table.toLowerCase()));
  const foreign = new Set(
    [...schema].filter(([name, { sql }]) => isVirtual(sql) && !owned.has(name.toLowerCase()))
      .map(([name]) => name.toLowerCase()),
  );
  return new Set(tables.filter((table) => foreign.has(virtualTableOf(table)?.toLowerCase() ?? "")));
}

async function run(session: MigrationSession, sql: string, parameters: readonly SqlValue[] = []): Promise<void> {
  await session.run({ sql, scope: MAINTENANCE }, parameters);
}
