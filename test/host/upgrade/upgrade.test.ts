import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installLedger, LEDGER_STATES } from "../../harness/ledger_releases.ts";
import { readDatabase } from "../../harness/read_database.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../../harness/server.ts";

const { first, second } = LEDGER_STATES;
const BROKEN = { "0005_break": ["update ledgerEntries set cents = 1", "insert into nowhere values (1)"] };

let installation: Record<string, string>;
let data: string;
let database: string;
beforeEach(async () => {
  installation = { ...await installationDirectory([]), ...CHOSEN_KEY };
  data = installation["EDGEHELM_DATA"]!;
  database = join(data, "edgehelm.db");
  await installLedger(installation, 1);
  expect(await run("migrate")).toMatchObject({ code: 0 });
});
afterEach(() => removeInstallation(installation));

function run(...args: readonly string[]) {
  return runToEnd(args, installation);
}

async function backups(): Promise<string[]> {
  return (await readdir(join(data, "before-upgrades"))).sort();
}

async function hashes(): Promise<Record<string, string>> {
  // the -shm file is memory that readers share, and holds no data
  const entries = (await readdir(data, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith("-shm"));
  const hashed = entries.map(async ({ name }) => {
    const content = await readFile(join(data, name));
    return [name, createHash("sha256").update(content).digest("hex")] as const;
  });
  return Object.fromEntries(await Promise.all(hashed));
}

test("an upgrade makes a verified backup first, from which the earlier release starts again", async () => {
  await installLedger(installation, 2);
  const { code, output } = await run("migrate");
  expect([code, output]).toEqual([0, expect.stringContaining("backed up before an upgrade")]);
  expect(readDatabase(database, second.sql)).toEqual(second.rows);
  const [backup, ...others] = await backups();
  expect(backup).toMatch(/^before-\d+\.\d+\.\d+-\d{8}T\d{9}Z\.backup$/);
  expect(others).toEqual([]);

  await installLedger(installation, 1);
  const refused = await run("migrate");
  expect(refused.code).toBe(78);
  expect(refused.output).toContain('plugin "ledger": the database is newer than this release');
  expect(refused.output).toContain("restore a backup from before its migration");
  expect(await run("restore", join(data, "before-upgrades", backup!), "--force")).toMatchObject({ code: 0 });
  const server = await Server.start(installation);
  await server.stop();
  expect(readDatabase(database, first.sql)).toEqual(first.rows);
  expect(await backups()).toEqual([backup]);
});

test("a first start and one without migrations make no backup", async () => {
  expect(await run("migrate")).toMatchObject({ code: 0 });
  await expect(backups()).rejects.toThrow("ENOENT");
});

test("a check lists what would run, and changes no file", async () => {
  await installLedger(installation, 2);
  const before = await hashes();
  const { code, output } = await run("migrate", "--check");
  expect(code).toBe(8);
  expect(output).toContain("3 migrations would run");
  expect(output).toContain("ledger: 0002_add_cents, 0003_index_notes, 0004_move_notes\n");
  expect(output).toMatch(/a backup of [\d.]+ [KM]iB would be made before them; the disk has [\d.]+ [GT]iB free/);
  const json = await run("migrate", "--check", "--json");
  expect(JSON.parse(json.output)).toEqual({
    database,
    pending: [{ owner: "ledger", names: ["0002_add_cents", "0003_index_notes", "0004_move_notes"], isUpgrade: true }],
    backup: { neededBytes: expect.any(Number), freeBytes: expect.any(Number) },
  });
  expect(await hashes()).toEqual(before);
  expect(await run("migrate")).toMatchObject({ code: 0 });
  expect(await run("migrate", "--check")).toMatchObject({
    code: 0,
    output: expect.stringContaining("all tables are up to date"),
  });
});

test("a check reads a database that a server uses, with what is in its log", async () => {
  const server = await Server.start(installation);
  await installLedger(installation, 2);
  expect(await run("migrate", "--check")).toMatchObject({ code: 8, output: expect.stringContaining("3 migrations") });
  await server.stop();
});

test("a check refuses what a start would refuse", async () => {
  await installLedger(installation, 2);
  expect(await run("migrate")).toMatchObject({ code: 0 });
  await installLedger(installation, 1);
  const { code, output } = await run("migrate", "--check");
  expect([code, output]).toEqual([78, expect.stringContaining("the database is newer than this release")]);
});

test("a check of an installation without a database creates none", async () => {
  await using other = await emptyInstallation();
  const { code, output } = await runToEnd(["migrate", "--check"], other.environment);
  expect([code, output]).toEqual([8, expect.stringContaining("ledger: 0001_create_entries (no tables yet)")]);
  await expect(readdir(other.environment["EDGEHELM_DATA"]!)).rejects.toThrow("ENOENT");
});

async function emptyInstallation() {
  const environment: Record<string, string> = { ...await installationDirectory([]), ...CHOSEN_KEY };
  await installLedger(environment, 1);
  return { environment, [Symbol.asyncDispose]: () => removeInstallation(environment) };
}

test("nothing is migrated if the backup cannot be made, unless it is left out", async () => {
  await writeFile(join(data, "before-upgrades"), "");
  await installLedger(installation, 2);
  const { code, output } = await run("migrate");
  expect([code, output]).toEqual([
    78,
    expect.stringContaining("nothing was migrated, because the backup before it failed"),
  ]);
  expect(readDatabase(database, first.sql)).toEqual(first.rows);
  const without = await run("migrate", "--without-backup");
  expect([without.code, without.output]).toEqual([0, expect.stringContaining("no backup was made before the")]);
  expect(readDatabase(database, second.sql)).toEqual(second.rows);
});

test("a migration that fails at every start does not replace the backups", async () => {
  await installLedger(installation, 2, BROKEN);
  const kept: string[][] = [];
  for (let start = 0; start < 3; start++) {
    const { code, output } = await run("migrate");
    expect([code, output]).toEqual([78, expect.stringContaining('migration "0005_break" failed')]);
    kept.push(await backups());
  }
  expect(kept[0]).toHaveLength(1);
  expect(kept[2]).toEqual(kept[0]);
  expect(readDatabase(database, first.sql)).toEqual(first.rows);
});

test("the newest three backups are kept", async () => {
  for (let upgrade = 0; upgrade < 4; upgrade++) {
    const more = Object.fromEntries(
      Array.from(
        { length: upgrade },
        (_, index) => [`100${index}_note`, [`update ledgerNotes set note = note || '${index}'`]],
      ),
    );
    await installLedger(installation, 2, more);
    expect(await run("migrate")).toMatchObject({ code: 0 });
  }
  expect(await backups()).toHaveLength(3);
});
