import { type Plugin } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { KERNEL_MIGRATIONS } from "../../../core/kernel/migrations/mod.ts";
import { migrate } from "../../../core/storage/migrate/migrate.ts";
import { requireUnchanged, storedHashes } from "../../../core/storage/migrate/migration_hashes.ts";
import { plugin } from "./rig.ts";

const CREATE = "create table things (id integer primary key) strict";
const MAINTENANCE = { owner: "kernel", tables: undefined };

/** Creates a plugin with one migration, and further ones. */
function withMigration(create: string, more: Readonly<Record<string, string>> = {}): Plugin {
  const all = Object.entries({ "0001_create_things": create, ...more });
  return plugin("things", {
    more: { tables: ["things"] },
    migrations: Object.fromEntries(all.map(([name, text]) => [name, {
      up: async (db: Kysely<never>) => void await sql.raw(text).execute(db),
    }])),
  });
}

/** Starts an installation with the first plugin, stops it, and starts it with the second one. */
async function restarted(first: Plugin, second: Plugin): Promise<void> {
  await using one = await testKernel({ plugins: [first] });
  await one.stop();
  const two = await testKernel({ plugins: [second], directory: one.directory });
  await two.stop();
}

const CHANGED = 'plugin "things": migration "0001_create_things" has changed since it ran on this database: ' +
  "put it back, and make the change in a new migration";

test("a migration that changed after it ran is refused with its name", async () => {
  const changed = withMigration("create table things (id integer primary key, name text) strict");
  await expect(restarted(withMigration(CREATE), changed)).rejects.toThrow(CHANGED);
});

test("a changed migration is refused before a new one runs", async () => {
  const changed = withMigration("create table things (id integer) strict", { "0002_wrong": "drop table nowhere" });
  await expect(restarted(withMigration(CREATE), changed)).rejects.toThrow(CHANGED);
});

test("a migration whose layout changed, and a new one after it, are accepted", async () => {
  const more = { "0002_name_things": "alter table things add column name text" };
  await restarted(withMigration(CREATE), withMigration(CREATE.replaceAll(" ", "\n  "), more));
});

test("an installation from before the hashes adopts them at its first start", async () => {
  const [first, changed] = [withMigration(CREATE), withMigration(`${CREATE}, without rowid`)];
  await using one = await testKernel({ plugins: [first] });
  await one.engine.write((session) =>
    Promise.resolve(session.run({ sql: "delete from kernel_migration_hashes", scope: MAINTENANCE }, []))
  );
  await one.stop();
  const two = await testKernel({ plugins: [first], directory: one.directory });
  await two.stop();
  await expect(testKernel({ plugins: [changed], directory: one.directory })).rejects.toThrow(CHANGED);
});

test("the migrations of the kernel are checked too", async () => {
  await using edgehelm = await testKernel({ plugins: [] });
  const { engine } = edgehelm;
  const stored = await storedHashes(engine);
  expect([...stored.keys()].filter((key) => key.startsWith("kernel "))).toHaveLength(
    Object.keys(KERNEL_MIGRATIONS.migrations).length,
  );
  await requireUnchanged(KERNEL_MIGRATIONS, stored);
  const migrations = { ...KERNEL_MIGRATIONS.migrations, "0005_record_job_runs": { up: async () => {} } };
  await expect(requireUnchanged({ ...KERNEL_MIGRATIONS, migrations }, stored)).rejects.toThrow(
    'plugin "kernel": migration "0005_record_job_runs" has changed since it ran',
  );
  await expect(migrate(engine, KERNEL_MIGRATIONS)).resolves.toEqual([]);
});
