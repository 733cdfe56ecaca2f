import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readDatabase } from "../../harness/read_database.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";

const PLUGINS = ["admin", "api_access_token", "installation", "user_access_key"];
const FIND = "/InstallationService/findAllInstallationBackups";
const MAKE = "/InstallationService/makeInstallationBackup";
const CHECK = "/InstallationService/checkInstallationBackup";

let installation: Record<string, string>;
let server: Server;
beforeEach(async () => {
  installation = await installationDirectory(PLUGINS, { backup: { to: "backups" } });
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
});
afterEach(async () => {
  await server.stop();
  await removeInstallation(installation);
});

const folder = () => join(dirname(installation["EDGEHELM_MANIFEST"]!), "backups");

async function findings(): Promise<unknown[]> {
  const { data } = await server.post("/InstallationService/checkInstallationHealth", {});
  return data.findings.filter(({ part }: { readonly part: string }) => part === "backups");
}

test("a backup is made, found, checked, and refused when it is damaged", async () => {
  expect((await server.post(FIND, {})).data).toMatchObject({
    ...{ isConfigured: true, place: folder(), everyHours: 24, maxAgeHours: 48, checkDays: 7 },
    ...{ isBusy: false, installationBackups: [] },
  });
  expect(await findings()).toMatchObject([{ code: "backups_degraded", message: expect.stringContaining("no backup") }]);
  const made = await server.post(MAKE, {});
  const [name] = await readdir(folder());
  expect(made).toMatchObject({
    code: 200,
    data: { result: "ok", error: "", installationBackup: { name, checkState: "never", checkedAt: 0 } },
  });
  expect(await findings()).toMatchObject([{ code: "backups_ok" }]);
  expect((await server.post(CHECK, { name: "" })).data).toEqual({ result: "ok", error: "" });
  const [backup] = (await server.post(FIND, {})).data.installationBackups;
  expect(backup).toMatchObject({ name, checkState: "ok", checkError: "" });
  expect(backup.checkedAt).toBeGreaterThan(0);
  await writeFile(join(folder(), name!), "damaged");
  const checked = await server.post(CHECK, { name });
  expect(checked.data).toMatchObject({ result: "failed", error: expect.stringContaining(name!) });
  expect((await server.post(FIND, {})).data.installationBackups).toMatchObject([{ name, checkState: "failed" }]);
  expect(await findings()).toMatchObject([
    { code: "backups_degraded", message: expect.stringContaining("the last check of a backup failed") },
  ]);
});

test("a second backup is refused while one is made", async () => {
  const both = await Promise.all([server.post(MAKE, {}), server.post(MAKE, {})]);
  expect(both.map(({ code }) => code).sort()).toEqual([200, 409]);
  expect(both.find(({ code }) => code === 409)).toMatchObject({ reason: "installation.backup_busy" });
  expect(await readdir(folder())).toHaveLength(1);
});

test("a backup that does not exist cannot be checked", async () => {
  expect(await server.post(CHECK, { name: "" })).toMatchObject({ code: 404, message: "a backup does not exist" });
  expect(await server.post(CHECK, { name: "../edgehelm.db" })).toMatchObject({ code: 404 });
});

test("who made a backup is on record", async () => {
  await server.post(MAKE, {});
  await server.stop();
  const path = join(installation["EDGEHELM_DATA"]!, "edgehelm.db");
  const rows = readDatabase(
    path,
    `select role, callerId from kernel_audit where operation like '%makeInstallationBackup'`,
  );
  expect(rows).toEqual([["admin", 1]]);
  server = await Server.start(installation);
});
