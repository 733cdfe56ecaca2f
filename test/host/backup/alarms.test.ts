import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TestClock } from "edgehelm/testing";
import { expect, test } from "vitest";
import { createLogger } from "../../../core/base/log.ts";
import { noMetrics } from "../../../core/base/metrics.ts";
import { backupWork } from "../../../core/host/backup/scheduled/backup_work.ts";
import type { Settings } from "../../../core/host/settings/settings.ts";
import { watched } from "../../core/kernel/alarms/rig.ts";
import { temporaryDirectory } from "../../core/storage/engines.ts";

const HOUR = 3600;
/** Jobs that do not run while the clock of the test moves are late. */
const BACKUPS = "kernel.backup_";

/** Starts an installation whose backups are in a folder, with a clock of the test. */
async function start(directory: string, clock: TestClock) {
  const folder = join(directory, "backups");
  const settings = {
    dataDirectory: directory,
    database: { url: `file:${join(directory, "edgehelm.db")}` },
    manifestPath: "manifest.json",
    backup: {
      place: { kind: "folder", path: folder },
      ...{ everyHours: 24, maxAgeHours: 48, keepLast: 2, keepDaily: 0, keepWeekly: 0, checkDays: 7 },
    },
  } as unknown as Settings;
  const log = createLogger({ level: "silent", write: () => {}, clock });
  const rig = await watched({ directory, clock, hostWork: backupWork(settings, clock, log, noMetrics) });
  return { ...rig, folder, runJob: (name: string) => rig.kernel.kernel.runJob(`kernel.${name}`) };
}

test("a backup older than its setting is an event, once, and so is the next one that is made", async () => {
  const clock = new TestClock(Date.parse("2026-03-02T12:00:00Z"));
  const directory = await temporaryDirectory();
  const first = await start(directory, clock);
  await first.runJob("backup");
  const madeAt = BigInt(clock.now() / 1000);
  // A file in place of the folder.
  await rm(first.folder, { recursive: true });
  await writeFile(first.folder, "");
  clock.advance(48 * HOUR);
  await first.runJob("backup");
  expect(await first.watch(BACKUPS)).toEqual([]);
  clock.advance(60);
  const beganAt = BigInt(clock.now() / 1000);
  expect(await first.watch(BACKUPS)).toEqual(["kernel.backup_became_old"]);
  expect(first.heard.find(({ name }) => name.startsWith(BACKUPS))!.data).toMatchObject({
    place: first.folder,
    madeAt,
    maxAgeHours: 48,
    beganAt,
  });
  clock.advance(HOUR);
  expect(await first.watch(BACKUPS)).toEqual([]);
  await first.kernel.kernel.stop(10_000);

  const second = await start(directory, clock);
  expect(await second.watch(BACKUPS)).toEqual([]);
  await rm(second.folder);
  await second.runJob("backup");
  expect(await second.watch(BACKUPS)).toEqual(["kernel.backup_became_recent"]);
  expect(await second.watch(BACKUPS)).toEqual([]);
});

test("an installation that never made a backup has the time of its setting for the first one", async () => {
  const clock = new TestClock();
  const rig = await start(await temporaryDirectory(), clock);
  expect(await rig.watch(BACKUPS)).toEqual([]);
  clock.advance(48 * HOUR + 60);
  expect(await rig.watch(BACKUPS)).toEqual(["kernel.backup_became_old"]);
  expect(rig.heard.find(({ name }) => name.startsWith(BACKUPS))!.data).toMatchObject({ madeAt: 0n });
});

test("a backup that cannot be restored is an event, and so is one that can", async () => {
  const clock = new TestClock();
  const directory = await temporaryDirectory();
  const rig = await start(directory, clock);
  await rig.runJob("backup");
  await rig.runJob("check_backup");
  expect(await rig.watch(BACKUPS)).toEqual([]);
  const call = rig.kernel.kernel.systemCall("test");
  const command = (name: string) => rig.kernel.kernel.commands.find((one) => one.name === name)!;
  const [line = ""] = await command("backups list").run(call, []);
  const name = line.split(" ")[0]!;
  await writeFile(join(rig.folder, name), "damaged");
  await expect(command("backups check").run(call, [])).rejects.toThrow();
  expect(await rig.watch(BACKUPS)).toEqual(["kernel.backup_check_failed"]);
  expect(rig.heard.find(({ name }) => name.startsWith(BACKUPS))!.data).toMatchObject({ backup: name });
  clock.advance(25 * HOUR);
  await rig.runJob("backup");
  await rig.runJob("check_backup");
  expect(await rig.watch(BACKUPS)).toEqual(["kernel.backup_check_passed"]);
});
