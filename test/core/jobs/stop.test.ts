import { describe, expect, test } from "vitest";
import { insertProbe, probes } from "../probe.ts";
import { clock, edgehelm, instance, job, logged, longJob, probeDb, useKernel } from "./rig.ts";

useKernel();

describe("stop()", () => {
  test("aborts the job's signal, waits for it, and releases its lease", async () => {
    const [one, two] = [instance("one"), instance("two")];
    const began = Promise.withResolvers<void>();
    let ended = false;
    const running = one.run(job(async (call) => {
      began.resolve();
      await new Promise<void>((resolve) => call.signal.addEventListener("abort", () => resolve()));
      ended = true;
    }));
    await began.promise;
    await one.stop(1000);
    expect(ended).toBe(true);
    await running;
    let hasRun = false;
    await two.run(job(async () => void (hasRun = true)));
    expect(hasRun).toBe(true);
  });

  test("ends a job that ignores its signal at its next transaction", async () => {
    const jobs = instance("one");
    const began = Promise.withResolvers<void>();
    let inserts = 0;
    const running = jobs.run(job(async (call) => {
      for (;;) {
        await call.transact((inner) => insertProbe(probeDb, inner, `${inserts++}`));
        began.resolve();
      }
    }));
    await began.promise;
    await jobs.stop(1000);
    await running;
    expect((await probes(probeDb, edgehelm.kernel.systemCall("test"))).length).toBe(inserts - 1);
    expect(logged).toContain("job stopped by shutdown");
  });

  test("waits no longer than its limit, and does not release the lease of a job that still runs", async () => {
    const [one, two] = [instance("one"), instance("two")];
    const long = longJob();
    const running = one.run(long.job);
    await long.began;
    const stopped = one.stop(5000);
    clock.advance(5);
    await stopped;
    await two.run(long.job);
    expect(long.runs).toBe(1);
    long.end();
    await running;
  });
});
