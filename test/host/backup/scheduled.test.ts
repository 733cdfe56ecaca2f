import { copyFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { InstallationKey } from "../../../core/auth/installation_key.ts";
import { createLogger } from "../../../core/base/log.ts";
import type { BackupSettings } from "../../../core/host/settings/backup_settings.ts";
import { BackupRecords } from "../../../core/host/backup/scheduled/records.ts";
import { ScheduledBackups } from "../../../core/host/backup/scheduled/scheduled_backups.ts";
import { FolderStore } from "../../../core/host/backup/stores/folder_store.ts";
import { database } from "../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";

const HOUR = 3600;
const KEY = new Uint8Array(32).fill(5);

let clock: TestClock;
let edgehelm: TestKernel;
let folder: string;
let logged: string;
let settings: BackupSettings;
beforeEach(async () => {
  clock = new TestClock(Date.parse("2026-03-02T12:00:00Z"));
  edgehelm = await testKernel({ plugins: [], clock, key: KEY });
  folder = join(edgehelm.directory, "backups");
  logged = "";
  settings = {
    place: { kind: "folder", path: folder },
    ...{ everyHours: 24, maxAgeHours: 48, keepLast: 2, keepDaily: 0, keepWeekly: 0, checkDays: 7 },
  };
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

/** Opens the backups as a server that starts now. */
async function openBackups(keys = [KEY]): Promise<ScheduledBackups> {
  const known = await Promise.all(keys.map((key) => InstallationKey.fromBytes(key)));
  const backups = new ScheduledBackups({
    records: new BackupRecords(database<KernelTables>(KERNEL_SCOPE)),
    store: new FolderStore(folder),
    settings,
    database: join(edgehelm.directory, "edgehelm.db"),
    keys: () => known,
    clock,
    log: createLogger({ level: "info", write: (line) => logged += line, clock }),
  });
  await backups.load(call());
  return backups;
}

const call = () => edgehelm.kernel.systemCall("test");
const stored = async () => (await readdir(folder)).sort();
const drafts = async () => (await readdir(edgehelm.directory)).filter((name) => name.includes("draft"));

test("a backup is made when it is due, which a restart does not change", async () => {
  await (await openBackups()).makeIfDue(call());
  expect(await stored()).toHaveLength(1);
  clock.advance(23 * HOUR);
  await (await openBackups()).makeIfDue(call());
  expect(await stored()).toHaveLength(1);
  clock.advance(HOUR);
  const backups = await openBackups();
  await backups.makeIfDue(call());
  const names = await stored();
  expect(names[1]).toMatch(/^edgehelm-[0-9a-f-]{36}-20260303T120000\.000Z\.backup$/);
  const { size, mode } = await stat(join(folder, names[1]!));
  expect(backups.newest).toMatchObject({ name: names[1], bytes: BigInt(size), madeAt: BigInt(clock.now()) });
  expect(mode & 0o777).toBe(0o600);
  expect((await readFile(join(folder, names[1]!))).includes("kernel_settings")).toBe(false);
  expect(await drafts()).toEqual([]);
});

test("expired backups are removed, but not the last one that passed its check, nor other files", async () => {
  const backups = await openBackups();
  const checked = (await backups.make(call())).name;
  await backups.check(call(), checked);
  await writeFile(join(folder, "notes.txt"), "");
  const foreign = checked.replace(/edgehelm-\w+/, "edgehelm-00000000");
  await copyFile(join(folder, checked), join(folder, foreign));
  const made: string[] = [];
  for (let day = 0; day < 3; day++) {
    clock.advance(24 * HOUR);
    made.push((await backups.make(call())).name);
  }
  expect(await stored()).toEqual([checked, foreign, ...made.slice(1), "notes.txt"].sort());
  expect(backups.known.map(({ name }) => name)).toEqual([made[2], made[1], checked]);
});

test("an old backup, and none at all, are named for /readyz and logged once", async () => {
  const backups = await openBackups();
  expect(backups.degraded()).toEqual(["no backup was made yet"]);
  await backups.makeIfDue(call());
  expect(backups.degraded()).toEqual([]);
  await rm(folder, { recursive: true });
  await writeFile(folder, "a file in place of the folder");
  clock.advance(48 * HOUR);
  await expect(backups.makeIfDue(call())).rejects.toThrow("ENOTDIR");
  expect(backups.degraded()).toEqual([]);
  for (const hours of [49, 50]) {
    clock.advance(HOUR);
    await expect(backups.makeIfDue(call())).rejects.toThrow("ENOTDIR");
    expect(backups.degraded()).toEqual([
      `the newest backup is ${hours} hours old, more than the 48 of its setting`,
    ]);
  }
  expect(logged.match(/backups need attention/g)).toHaveLength(1);
  await rm(folder);
  await backups.makeIfDue(call());
  expect(backups.degraded()).toEqual([]);
  expect(logged).toContain("backups are as they should be again");
});

test("a backup that is missing in its store is made again", async () => {
  const backups = await openBackups();
  await backups.makeIfDue(call());
  const [name] = await stored();
  await rm(join(folder, name!));
  clock.advance(HOUR);
  await backups.makeIfDue(call());
  expect(logged).toContain("backup missing in its store");
  expect(await stored()).toEqual([backups.newest!.name]);
  expect(backups.newest!.name).not.toBe(name);
});

test("the newest backup is checked once a week, and the outcome is kept", async () => {
  const backups = await openBackups();
  await backups.checkIfDue(call());
  await backups.make(call());
  await backups.checkIfDue(call());
  const checkedAt = BigInt(clock.now());
  expect((await openBackups()).lastChecked).toMatchObject({ checkedAt, checkError: null });
  clock.advance(6 * 24 * HOUR);
  await backups.make(call());
  await backups.checkIfDue(call());
  expect(backups.lastChecked?.checkedAt).toBe(checkedAt);
  clock.advance(24 * HOUR);
  await backups.checkIfDue(call());
  expect(backups.lastChecked).toMatchObject({ name: backups.newest!.name, checkedAt: BigInt(clock.now()) });
  expect(await drafts()).toEqual([]);
});

test("a backup that cannot be restored fails its check, which is recorded, logged and repeated after a day", async () => {
  const backups = await openBackups();
  const { name } = await backups.make(call());
  const whole = await readFile(join(folder, name));
  const damaged = Uint8Array.from(whole);
  damaged[whole.length - 1000]! ^= 1;
  await writeFile(join(folder, name), damaged);
  await expect(backups.checkIfDue(call())).rejects.toThrow("is damaged or incomplete");
  const again = await openBackups();
  expect(again.lastChecked?.checkError).toMatch(/damaged or incomplete: piece \d+/);
  expect(again.degraded()).toEqual(["the last check of a backup failed"]);
  expect(logged).toContain("backup check failed");
  await again.checkIfDue(call());
  await writeFile(join(folder, name), whole);
  clock.advance(24 * HOUR);
  await again.checkIfDue(call());
  expect(again.degraded()).toEqual([]);
});

test("a check opens a backup from before a rotation with the earlier key, and no other key", async () => {
  const { name } = await (await openBackups()).make(call());
  const next = new Uint8Array(32).fill(6);
  await (await openBackups([next, KEY])).check(call(), name);
  await expect((await openBackups([next])).check(call(), name)).rejects.toThrow("requires installation key");
});

test("a backup under another key than that of the database is not made", async () => {
  await expect((await openBackups([new Uint8Array(32).fill(6)])).make(call())).rejects.toThrow("key was replaced");
  expect(await drafts()).toEqual([]);
});
