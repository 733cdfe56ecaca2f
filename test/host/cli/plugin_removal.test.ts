import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../../harness/server.ts";
import { root } from "../../rules/generated.ts";

const LOGIN = ["admin", "api_access_token", "user_access_key"];

let installation: Record<string, string>;
let manifest: string;
beforeEach(async () => {
  installation = {
    ...await installationDirectory([...LOGIN, "ns_cluster", "ns_domain_group", "./notes"]),
    ...CHOSEN_KEY,
  };
  manifest = installation.EDGEHELM_MANIFEST!;
  await cp(join(root, "test/fixtures/notes"), join(dirname(manifest), "notes"), { recursive: true });
  expect((await runToEnd(["notes", "insert", "12"], installation)).code).toBe(0);
});
afterEach(() => removeInstallation(installation));

async function plugin(...args: string[]) {
  return await runToEnd(["plugin", ...args], installation);
}

/** Opens the database with a driver whose close() closes the file at once: that of libsql may wait for a collection. */
function inDatabase<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(installation.EDGEHELM_DATA!, "edgehelm.db"));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Returns the names of the objects of the database that have to do with notes. */
function ofNotes(): string[] {
  const sql = "select name from sqlite_master where name like '%notes%' order by name";
  return inDatabase((database) => database.prepare(sql).all()).map(({ name }) => String(name));
}

test("a plugin is removed with its tables, its settings and the record of its migrations", async () => {
  inDatabase((database) => {
    database.exec(
      "insert into kernel_leases (name, holder, expiresAt) values ('notes.job', 'a', 1), ('notesb.job', 'a', 1)",
    );
  });
  expect(ofNotes()).toEqual(expect.arrayContaining(["migration_notes", "notes", "notes_buckets", "notes_search"]));
  const { code, output } = await plugin("remove", "notes", "--delete-data", "--yes");
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toMatch(
    /^removes notes, and deletes:\n {2}notes: 12 rows\n {2}what is derived from them: \d+ tables\n/,
  );
  expect(output).toContain("removed notes; deleted 1 table with 12 rows");
  expect(ofNotes()).toEqual([]);
  const names = "select name from kernel_leases where name like 'notes%'";
  expect(inDatabase((database) => database.prepare(names).all()).map(({ name }) => name)).toEqual(["notesb.job"]);
  expect(await readFile(manifest, "utf8")).not.toContain("notes");
  expect((await runToEnd(["migrate"], installation)).code).toBe(0);
  expect((await plugin("undo")).code).toBe(0);
  expect((await runToEnd(["notes", "find", "0", "0", "0"], installation)).output).toContain("0: ");
});

test("without a terminal nothing is deleted unless --yes agrees", async () => {
  const before = await readFile(manifest, "utf8");
  const { code, output } = await plugin("remove", "notes", "--delete-data");
  expect({ code, output }).toMatchObject({ code: 78, output: expect.stringContaining("notes: 12 rows") });
  expect(output).toContain("there is no terminal to ask; --yes deletes without asking");
  expect(await readFile(manifest, "utf8")).toBe(before);
  expect(ofNotes()).toContain("notes");
});

test("the manifest is as before if the data cannot be deleted, and no table is gone", async () => {
  inDatabase((database) => {
    database.exec("insert into kernel_leases (name, holder, expiresAt) values ('notes.job', 'a', 1)");
    database.exec(
      "create trigger kept before delete on kernel_leases begin select raise(abort, 'the lease stays'); end",
    );
  });
  const [before, tables] = [await readFile(manifest, "utf8"), ofNotes()];
  const { code, output } = await plugin("remove", "notes", "--delete-data", "--yes");
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining("the lease stays") });
  expect(await readFile(manifest, "utf8")).toBe(before);
  expect(ofNotes()).toEqual(tables);
});

test("data of a plugin that others need, or that a server uses, is not deleted", async () => {
  await plugin("add", "ns_domain");
  expect(await plugin("remove", "ns_cluster", "--delete-data", "--yes")).toMatchObject({
    code: 78,
    output: expect.stringContaining('plugin "ns_domain" requires contract "ns_cluster"'),
  });
  const before = await readFile(manifest, "utf8");
  const server = await Server.start(installation);
  expect(await plugin("remove", "notes", "--delete-data", "--yes")).toMatchObject({
    code: 78,
    output: expect.stringMatching(/is held by process \d+ on .*; stop it first/),
  });
  expect((await plugin("list")).output).toContain("notes 1.0.0; enabled; folder ./notes; tables: notes (12 rows)");
  await server.stop();
  expect(await readFile(manifest, "utf8")).toBe(before);
});

test("a disabled plugin can be removed, and data that a removed one left deleted later", async () => {
  await plugin("disable", "./notes");
  await plugin("disable", "notes");
  const removed = await plugin("remove", "notes");
  expect(removed.output).toContain("removed notes; its tables are kept: notes (12 rows)");
  expect(removed.output).toContain("to delete them as well: plugin remove ./notes --delete-data");
  const deleted = await plugin("remove", "./notes", "--delete-data", "--yes");
  expect(deleted.output).toContain("removed notes; deleted 1 table with 12 rows");
  expect((await plugin("remove", "./notes", "--delete-data")).output).toContain("the database has no data of notes");
  expect(ofNotes()).toEqual([]);
});

test("data stays if a plugin that stays has the same table", async () => {
  const copy = join(dirname(manifest), "other_notes");
  await cp(join(dirname(manifest), "notes"), copy, { recursive: true });
  const json = join(copy, "plugin.json");
  await writeFile(json, (await readFile(json, "utf8")).replace('"notes"', '"other_notes"'));
  await plugin("disable", "notes");
  await plugin("add", "./other_notes");
  expect((await plugin("remove", "notes", "--delete-data", "--yes")).output).toContain(
    'plugin "other_notes" has the table "notes" too, so its data must stay',
  );
});

test("before the first start there is nothing to delete", async () => {
  const fresh = await installationDirectory([...LOGIN, "ns_cluster"]);
  const { code, output } = await runToEnd(["plugin", "remove", "ns_cluster", "--delete-data"], fresh);
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("there is no database yet") });
  await removeInstallation(fresh);
});
