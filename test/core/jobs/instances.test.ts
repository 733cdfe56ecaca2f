import { expect, test, vi } from "vitest";
import { createLogger } from "../../../core/base/log.ts";
import { Instances } from "../../../core/jobs/instances.ts";
import { database } from "../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";
import { clock, edgehelm, useKernel } from "./rig.ts";

useKernel();

function instances(id: string, isShared = true): Instances {
  const log = createLogger({ level: "silent", write: () => {}, clock });
  const self = { id, startedAt: BigInt(clock.now()), version: "1.0.0", runtime: "Deno/2.9.6" };
  const deps = { clock, timers: clock, log, systemCall: edgehelm.kernel.systemCall };
  return new Instances(database<KernelTables>(KERNEL_SCOPE), self, isShared, deps);
}

const seenBy = async (one: Instances) => (await one.all(edgehelm.kernel.systemCall("test"))).map(({ id }) => id);

test("instances see each other until they stop", async () => {
  const [one, two] = [instances("one"), instances("two")];
  one.start();
  two.start();
  await vi.waitFor(async () => expect(await seenBy(two)).toEqual(["one", "two"]));
  await one.stop(1000);
  expect(await seenBy(two)).toEqual(["two"]);
  await two.stop(1000);
});

test("an instance says once a minute that it is there; one that does not is gone after 150 seconds", async () => {
  const [crashed, two] = [instances("crashed"), instances("two")];
  const call = edgehelm.kernel.systemCall("test");
  const db = database<KernelTables>(KERNEL_SCOPE);
  await call.transact(async (inner) => {
    const row = { id: "crashed", startedAt: 1n, seenAt: BigInt(clock.now()), version: "1.0.0", runtime: "" };
    await db(inner).insertInto("kernel_instances").values(row).execute();
  });
  two.start();
  await vi.waitFor(async () => expect(await seenBy(two)).toEqual(["crashed", "two"]));
  for (const seconds of [60, 60, 30]) {
    clock.advance(seconds);
    await vi.waitFor(async () => expect((await two.all(call)).at(-1)!.seenAt).toBeGreaterThan(clock.now() - 60_000));
  }
  expect(await seenBy(two)).toEqual(["two"]);
  await call.transact((inner) => crashed.prune(inner));
  const left = await db(call).selectFrom("kernel_instances").select("id").execute();
  expect(left.map(({ id }) => id)).toEqual(["two"]);
  await two.stop(1000);
});

test("the only instance of a database on this machine writes nothing", async () => {
  const one = instances("one", false);
  one.start();
  expect(await seenBy(one)).toEqual(["one"]);
  expect(await seenBy(instances("other"))).toEqual([]);
  await one.stop(1000);
});
