import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "edgehelm";
import { migrationsOf, tablesOf } from "../../../core/plugin_api/plugin.ts";
import type { StorageEngine } from "../../../core/storage/engine.ts";
import { migrate } from "../../../core/storage/migrate/migrate.ts";
import { openTestDatabase } from "../database.ts";
import type { TestKernel } from "../kernel.ts";

/**
 * Boots a plugin on a database of each earlier state: after none of its migrations, after the first, and so on. Each
 * must become the same as a new database.
 */
export async function migrationErrors(
  plugin: Plugin,
  boot: (directory: string) => Promise<TestKernel>,
): Promise<string[]> {
  const { name } = plugin.manifest;
  const migrations = migrationsOf(plugin);
  const names = Object.keys(migrations).sort();
  const errors: string[] = [];
  let expected: string | undefined;
  for (let count = 0; count < Math.max(1, names.length); count++) {
    const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
    try {
      const engine = await openTestDatabase(directory);
      const earlier = Object.fromEntries(names.slice(0, count).map((one) => [one, migrations[one]!]));
      await migrate(engine, { owner: name, tables: new Set(tablesOf(plugin)), migrations: earlier });
      await engine.close();
      const edgehelm = await boot(directory);
      const found = await schemaText(edgehelm.engine);
      await edgehelm.stop();
      expected ??= found;
      if (found !== expected) {
        errors.push(`a database after ${names[count - 1]} becomes another one than a new database: compare the tables`);
      }
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      errors.push(
        `a database ${count === 0 ? "without tables" : `after ${names[count - 1]}`} cannot be migrated: ${text}`,
      );
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  return errors;
}

async function schemaText(engine: StorageEngine): Promise<string> {
  const schema = await engine.migrate((session) => session.schema());
  return JSON.stringify([...schema].sort(([first], [second]) => first < second ? -1 : 1));
}
