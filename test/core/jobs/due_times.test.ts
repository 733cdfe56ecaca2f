import { describe, expect, test } from "vitest";
import { database } from "../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";
import { clock, edgehelm, instance, INTERVAL, job, useKernel } from "./rig.ts";

useKernel();

describe("with two instances", () => {
  test("one runs a job, and the other takes over when the first stops", async () => {
    const runs: string[] = [];
    const [one, two] = [instance("one"), instance("two")];
    const by = (name: string) => job(async () => void runs.push(name));
    await one.run(by("one"));
    await two.run(by("two"));
    expect(runs).toEqual(["one"]);
    await one.stop(1000);
    await two.run(by("two"));
    expect(runs).toEqual(["one", "two"]);
  });

  test("the other takes over 2.5 intervals after the first has disappeared", async () => {
    const runs: string[] = [];
    await instance("one").run(job(async () => void runs.push("one")));
    const two = instance("two");
    clock.advance(2.4 * INTERVAL);
    await two.run(job(async () => void runs.push("two")));
    clock.advance(0.1 * INTERVAL);
    await two.run(job(async () => void runs.push("two")));
    expect(runs).toEqual(["one", "two"]);
  });

  test("a job is not run early by the other, or after a restart", async () => {
    const runs: string[] = [];
    const by = (name: string) => job(async () => void runs.push(name));
    const [one, two] = [instance("one"), instance("two")];
    await one.runIfDue(by("one"));
    await one.stop(1000);
    await two.runIfDue(by("two"));
    clock.advance(0.8 * INTERVAL);
    await two.runIfDue(by("two"));
    expect(runs).toEqual(["one"]);
    clock.advance(0.2 * INTERVAL);
    await two.runIfDue(by("two"));
    expect(runs).toEqual(["one", "two"]);
  });

  test("jobs continue after a wrong clock wrote a due time far ahead", async () => {
    const runs: string[] = [];
    const by = (name: string) => job(async () => void runs.push(name));
    clock.advance(86_400);
    await instance("one").runIfDue(by("one"));
    clock.advance(-86_400);
    const two = instance("two");
    await edgehelm.kernel.systemCall("test").transact(async (inner) => {
      await database<KernelTables>(KERNEL_SCOPE)(inner).updateTable("kernel_leases").set({ expiresAt: 0n }).execute();
    });
    await two.runIfDue(by("two"));
    expect(runs).toEqual(["one", "two"]);
  });
});
