import type { Call } from "edgehelm";
import { expect, test } from "vitest";
import { probes } from "../probe.ts";
import { advance, instance, job, probeDb, useKernel } from "./rig.ts";

useKernel();

test("a job runs within its interval, and then once per interval", async () => {
  let runs = 0;
  const jobs = instance("one");
  const counted = job(async () => void runs++);
  jobs.start([counted]);
  expect(runs).toBe(0);
  await advance(1);
  expect(runs).toBe(1);
  await advance(3);
  expect(runs).toBe(4);
  await jobs.stop(1000);
  await advance(2);
  expect(runs).toBe(4);
});

test("the call of a job ends with the job", async () => {
  let savedCall: Call | undefined;
  await instance("one").run(job(async (call) => void (savedCall = call)));
  await expect(probes(probeDb, savedCall!)).rejects.toThrow("this call has ended");
});
