import { expect, test } from "vitest";
import { JobRuns } from "../../../core/jobs/job_runs.ts";
import { database } from "../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";
import { clock, edgehelm, instance, job, longJob, useKernel } from "./rig.ts";

useKernel();

const last = async () => {
  const runs = new JobRuns(database<KernelTables>(KERNEL_SCOPE), clock);
  return (await runs.all(edgehelm.kernel.systemCall("test"))).get("probe.work");
};

test("how a run ended is recorded, and how often in a row it failed", async () => {
  const jobs = instance("one");
  const failing = job(() => Promise.reject(new Error("the disk is full")));
  const began = BigInt(clock.now());
  await jobs.run(failing);
  expect(await last()).toMatchObject({ startedAt: began, error: "the disk is full", failures: 1n });
  await jobs.run(failing);
  expect(await last()).toMatchObject({ failures: 2n });
  await jobs.run(job(async () => {}));
  expect(await last()).toMatchObject({ error: null, failures: 0n });
  await jobs.run(failing);
  expect(await last()).toMatchObject({ failures: 1n });
});

test("quick runs without an error are recorded once a minute", async () => {
  const jobs = instance("one");
  const quick = job(async () => {});
  await jobs.run(quick);
  const first = (await last())!.startedAt;
  clock.advance(30);
  await jobs.run(quick);
  expect((await last())!.startedAt).toBe(first);
  clock.advance(30);
  await jobs.run(quick);
  expect((await last())!.startedAt).toBe(first + 60_000n);
});

test("a long run is recorded with its duration", async () => {
  const jobs = instance("one");
  await jobs.run(job(async () => {}));
  await jobs.run(job(async () => clock.advance(3)));
  const { startedAt, endedAt } = (await last())!;
  expect(endedAt - startedAt).toBe(3000n);
});

test("a job that a person asks for runs before it is due, and is recorded", async () => {
  const jobs = instance("one");
  let runs = 0;
  const counted = job(async () => void runs++);
  await jobs.run(counted);
  clock.advance(1);
  expect(await jobs.request(counted)).toBe(true);
  expect(runs).toBe(2);
  expect((await last())!.startedAt).toBe(BigInt(clock.now()));
});

test("who asks for a job that runs waits for that run", async () => {
  const jobs = instance("one");
  const long = longJob();
  const running = jobs.run(long.job);
  await long.began;
  expect(jobs.isRunning(long.job)).toBe(true);
  const requested = jobs.request(long.job);
  long.end();
  expect(await requested).toBe(true);
  await running;
  expect(long.runs).toBe(1);
  expect(jobs.isRunning(long.job)).toBe(false);
});

test("a job of another instance becomes due there", async () => {
  const [one, two] = [instance("one"), instance("two")];
  const runs: string[] = [];
  const by = (name: string) => job(async () => void runs.push(name));
  await one.runIfDue(by("one"));
  expect(await two.request(by("two"))).toBe(false);
  await one.runIfDue(by("one"));
  await two.runIfDue(by("two"));
  expect(runs).toEqual(["one", "one"]);
});
