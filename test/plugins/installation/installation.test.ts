import type { DescMethodUnary } from "@bufbuild/protobuf";
import { definePlugin } from "edgehelm";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PROGRAM_VERSION } from "../../../core/base/version.ts";
import { kernelErrors } from "../../../core/base/errors.ts";
import plugin from "../../../plugins/installation/plugin.ts";
import { admin, openKernel, rpc, type Work } from "./rig.ts";

const START = 1_800_000_000;

let clock: TestClock;
let edgehelm: TestKernel;
let work: Work;
beforeEach(async () => {
  clock = new TestClock(START * 1000, "Europe/Berlin");
  work = { run: () => Promise.resolve() };
  edgehelm = await openKernel(clock, work);
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

const health = () => edgehelm.call(admin, rpc.checkInstallationHealth, {});
const run = (jobName: string) => edgehelm.call(admin, rpc.runInstallationJob, { jobName });
const settingsOf = async (pluginName: string) =>
  (await edgehelm.call(admin, rpc.findInstallationPluginSettings, { pluginName })).settings;

async function job(name = "worker.work") {
  const { installationJobs } = await edgehelm.call(admin, rpc.findAllInstallationJobs, {});
  return installationJobs.find((candidate) => candidate.name === name)!;
}

test("an admin with modules, and a user, see nothing of it", async () => {
  for (const method of Object.values(rpc) as DescMethodUnary[]) {
    await expect(edgehelm.call(as.admin(2n), method, {})).rejects.toMatchObject({ code: 403 });
    await expect(edgehelm.call(as.user(7n), method, {})).rejects.toMatchObject({ code: 403 });
  }
});

test("findInstallation returns versions and the instance", async () => {
  const found = await edgehelm.call(admin, rpc.findInstallation, {});
  expect(found).toMatchObject({ version: PROGRAM_VERSION, kernelVersion: "1.0.0", timeZone: "Europe/Berlin" });
});

test("plugins have their description and what they serve", async () => {
  const { installationPlugins } = await edgehelm.call(admin, rpc.findAllInstallationPlugins, {});
  expect(installationPlugins.map(({ name }) => name)).toEqual([
    ...["installation", "origins", "store", "test_credentials", "worker"],
  ]);
  const [installation] = installationPlugins.filter(({ name }) => name === "installation");
  expect(installation).toMatchObject({ services: ["InstallationService"], countOperations: 12, countJobs: 0 });
  expect(installationPlugins.find(({ name }) => name === "worker")).toMatchObject({
    version: "2.1.0",
    description: "Works now and then.",
    countJobs: 1,
  });
});

test("the configuration has no secrets", async () => {
  const settings = await settingsOf("store");
  expect(settings.map(({ name, value }) => [name, value])).toEqual([
    ["url", '"http://••••••@clickhouse.example:8123"'],
    ["database", ""],
    ["username", '"ada"'],
    ["password", '"••••••"'],
  ]);
  expect(settings[1]!.description).toBe('The database, which must exist; the default is "default".');
  expect((await settingsOf("origins"))[0]!.value).toBe('["10.0.0.0/8"]');
  expect(await settingsOf("worker")).toEqual([]);
});

test("names that do not exist, or are too long, are refused", async () => {
  await expect(settingsOf("nothing")).rejects.toMatchObject({
    code: 404,
    message: 'the plugin "nothing" does not exist',
  });
  await expect(run("nothing")).rejects.toMatchObject({ code: 404, message: 'the job "nothing" does not exist' });
  await expect(run("")).rejects.toMatchObject({ code: 400, message: "jobName: must not be empty" });
  await expect(run("x".repeat(201))).rejects.toMatchObject({ code: 400 });
});

test("a job tells its last run, its error and when it is due", async () => {
  expect(await job()).toMatchObject({ state: "never", everySeconds: 600, pluginName: "worker", dueAt: 0n });
  expect(await run("worker.work")).toMatchObject({ result: "ok", durationMilliseconds: 0n });
  expect(await job()).toMatchObject({ state: "ok", startedAt: BigInt(START), dueAt: BigInt(START + 600), error: "" });
  work.run = () => Promise.reject(new Error("the mail server cannot be reached"));
  expect(await run("worker.work")).toMatchObject({ result: "failed", error: "the mail server cannot be reached" });
  expect(await job()).toMatchObject({ state: "failed", countFailures: 1, error: "the mail server cannot be reached" });
});

test("a job that takes long goes on after the response", async () => {
  const end = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  work.run = () => {
    began.resolve();
    return end.promise;
  };
  const asked = run("worker.work");
  await began.promise;
  expect((await job()).state).toBe("running");
  clock.advance(20);
  expect(await asked).toMatchObject({ result: "running" });
  end.resolve();
  await vi.waitFor(async () => expect(await job()).toMatchObject({ state: "ok", durationMilliseconds: 20_000n }));
});

test("health names failed jobs, and late ones, with what to do", async () => {
  expect(await health()).toMatchObject({ state: "ok", callsInFlight: 1 });
  work.run = () => Promise.reject(new Error("no disk"));
  await run("worker.work");
  expect(await health()).toMatchObject({
    state: "warn",
    findings: [{ code: "job_failed", subject: "worker.work" }, {}, {}, {}, {}],
  });
  for (let time = 0; time < 2; time++) await run("worker.work");
  const { state, findings } = await health();
  expect(state).toBe("bad");
  expect(findings[0]).toMatchObject({
    part: "jobs",
    state: "bad",
    message: "The job worker.work failed 3 times in a row: no disk",
  });
  work.run = () => Promise.resolve();
  await run("worker.work");
  expect((await health()).state).toBe("ok");
  clock.advance(600 + 600 + 300);
  expect((await health()).state).toBe("ok");
  clock.advance(1);
  expect(await health()).toMatchObject({
    state: "warn",
    findings: [{ code: "job_late", subject: "worker.work" }, {}, {}, {}, {}],
  });
  expect((await job()).state).toBe("late");
});

test("health names a database that cannot be written", async () => {
  // issues the token, which writes
  await health();
  const { engine } = edgehelm;
  const write = engine.write;
  engine.write = () => Promise.reject(kernelErrors.unavailable("database or disk is full"));
  clock.advance(3);
  const found = await health();
  engine.write = write;
  const [first, ...others] = found.findings;
  expect([found.state, first]).toMatchObject(["bad", { part: "database", code: "database_unavailable" }]);
  expect(others.map(({ state }) => state)).toEqual(["ok", "ok", "ok", "ok"]);
});

test("health names a plugin that does not run, and why", async () => {
  const manifest = { name: "geo", version: "1.0.0", kernel: "^1", services: [], tables: [] };
  const broken = definePlugin({
    manifest,
    setup() {
      throw new Error("no database of places");
    },
  });
  await edgehelm.stop();
  await using degraded = await testKernel({
    plugins: [plugin, broken],
    mayDegrade: true,
    directory: edgehelm.directory,
  });
  const { state, findings } = await degraded.call(admin, rpc.checkInstallationHealth, {});
  expect([state, findings[0]]).toMatchObject(["bad", { part: "plugins", code: "plugin_failed", subject: "geo" }]);
  expect(findings[0]!.message).toContain("no database of places");
});

test("without backups in the manifest none are made or checked", async () => {
  expect(await edgehelm.call(admin, rpc.findAllInstallationBackups, {})).toMatchObject({
    isConfigured: false,
    installationBackups: [],
  });
  const refused = { code: 409, reason: "installation.backups_not_configured" };
  await expect(edgehelm.call(admin, rpc.makeInstallationBackup, {})).rejects.toMatchObject(refused);
  await expect(edgehelm.call(admin, rpc.checkInstallationBackup, { name: "x" })).rejects.toMatchObject(refused);
});
