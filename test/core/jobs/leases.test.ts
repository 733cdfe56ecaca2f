import { describe, expect, test } from "vitest";
import { database } from "../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";
import { insertProbe, probes } from "../probe.ts";
import { advance, clock, edgehelm, instance, INTERVAL, job, logged, longJob, probeDb, useKernel } from "./rig.ts";

useKernel();

describe("with two instances", () => {
  test("a job longer than its interval keeps its lease and runs once", async () => {
    const [one, two] = [instance("one"), instance("two")];
    const long = longJob();
    const running = one.run(long.job);
    await long.began;
    await advance(8);
    await two.run(long.job);
    await one.run(long.job);
    expect(long.runs).toBe(1);
    long.end();
    await running;
  });

  test("a job that lost its lease is aborted and cannot write", async () => {
    const one = instance("one");
    const aborted = Promise.withResolvers<void>();
    const running = one.run(job(async (call) => {
      call.signal.addEventListener("abort", () => aborted.resolve());
      // Simulates a process that was suspended for a long time.
      await edgehelm.kernel.systemCall("test").transact(async (inner) => {
        await database<KernelTables>(KERNEL_SCOPE)(inner).updateTable("kernel_leases").set({ holder: "two" }).execute();
      });
      await expect(call.transact((inner) => insertProbe(probeDb, inner, "late"))).rejects.toThrow("lost the lease");
      clock.advance(INTERVAL);
      await aborted.promise;
      call.signal.throwIfAborted();
    }));
    await running;
    expect(await probes(probeDb, edgehelm.kernel.systemCall("test"))).toEqual([]);
    expect(logged).toContain("lost the lease of job probe.work: another instance runs it");
  });
});
