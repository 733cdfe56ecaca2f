import { EventListeners } from "edgehelm/runtime";
import { TestClock } from "edgehelm/testing";
import { expect, onTestFinished, test } from "vitest";
import { database } from "../../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../../core/storage/kernel_tables.ts";
import { temporaryDirectory } from "../../storage/engines.ts";
import { plugin } from "../rig.ts";
import { type Watched, watched } from "./rig.ts";

const db = database<KernelTables>(KERNEL_SCOPE);
const HOUR = 3600;

/** A plugin with a job that fails or never ends while the test wants it. */
function worker(state: { run: () => Promise<void> }, everySeconds = 60) {
  return plugin("worker", {
    setup: ({ every }) => every({ name: "work", everySeconds, run: () => state.run() }),
  });
}

const runWork = ({ kernel, clock }: Watched) => {
  clock.advance(60);
  return kernel.kernel.runJob("worker.work");
};

test("a job that fails three times in a row is an event, and its success is another one, once each", async () => {
  const state = { run: (): Promise<void> => Promise.reject(new Error("secret detail")) };
  const rig = await watched({ plugins: [worker(state)] });
  await runWork(rig);
  await runWork(rig);
  expect(await rig.watch()).toEqual([]);
  await runWork(rig);
  const failedAt = BigInt(Math.floor(rig.clock.now() / 1000));
  expect(await rig.watch()).toEqual(["kernel.job_failed_repeatedly"]);
  expect(rig.heard[0]!.data).toMatchObject({ job: "worker.work", failures: 3n, endedAt: failedAt, beganAt: failedAt });
  expect(JSON.stringify(rig.heard[0]!.data, (_, value) => typeof value === "bigint" ? String(value) : value))
    .not.toContain("secret");
  await runWork(rig);
  expect(await rig.watch()).toEqual([]);
  state.run = () => Promise.resolve();
  await runWork(rig);
  expect(await rig.watch()).toEqual(["kernel.job_recovered"]);
  expect(await rig.watch()).toEqual([]);
});

test("an alarm that has begun is not repeated by a restart, and ends after it", async () => {
  const directory = await temporaryDirectory();
  const clock = new TestClock();
  const state = { run: (): Promise<void> => Promise.reject(new Error("no")) };
  const before = await watched({ plugins: [worker(state)], directory, clock });
  for (let run = 0; run < 3; run++) await runWork(before);
  expect(await before.watch()).toEqual(["kernel.job_failed_repeatedly"]);
  await before.kernel.kernel.stop(10_000);

  const after = await watched({ plugins: [worker(state)], directory, clock });
  expect(await after.watch()).toEqual([]);
  state.run = () => Promise.resolve();
  await runWork(after);
  expect(await after.watch()).toEqual(["kernel.job_recovered"]);
});

test("a job whose last run does not end is stuck, until it runs again", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const state = {
    run() {
      began.resolve();
      return promise;
    },
  };
  const rig = await watched({ plugins: [worker(state)] });
  onTestFinished(() => resolve());
  const running = runWork(rig);
  await began.promise;
  rig.clock.advance(HOUR);
  expect(await rig.watch()).toEqual([]);
  rig.clock.advance(60);
  expect(await rig.watch()).toEqual(["kernel.job_got_stuck"]);
  expect(rig.heard[0]!.data).toMatchObject({ job: "worker.work" });
  resolve();
  await running;
  await runWork(rig);
  expect(await rig.watch()).toEqual(["kernel.job_resumed"]);
});

test("no job is stuck because the installation was off for long", async () => {
  const directory = await temporaryDirectory();
  const clock = new TestClock();
  const state = { run: () => Promise.resolve() };
  const before = await watched({ plugins: [worker(state)], directory, clock });
  await runWork(before);
  await before.kernel.kernel.stop(10_000);
  clock.advance(30 * 24 * HOUR);
  const after = await watched({ plugins: [worker(state)], directory, clock });
  expect(await after.watch()).toEqual([]);
});

test("a listener that has not had an event for five minutes is an event for the others", async () => {
  let fails = true;
  const deaf = plugin("deaf", {
    more: { contributes: ["kernel.event_listeners"] },
    setup: ({ contribute }) => {
      contribute(EventListeners, {
        name: "deaf",
        handle: (_call, { kind }) =>
          fails && kind.name === "kernel.job_failed_repeatedly" ? Promise.reject(new Error("no")) : Promise.resolve(),
      });
    },
  });
  const state = { run: (): Promise<void> => Promise.reject(new Error("no")) };
  const rig = await watched({ plugins: [deaf, worker(state)] });
  for (let run = 0; run < 3; run++) await runWork(rig);
  expect(await rig.watch()).toEqual(["kernel.job_failed_repeatedly"]);
  rig.clock.advance(299);
  expect(await rig.watch()).toEqual([]);
  rig.clock.advance(1);
  expect(await rig.watch()).toEqual(["kernel.events_got_stuck"]);
  expect(rig.heard.at(-1)!.data).toMatchObject({ listener: "deaf" });
  fails = false;
  rig.clock.advance(300);
  await rig.kernel.kernel.runJob("kernel.deliver_events");
  expect(await rig.watch()).toEqual(["kernel.events_resumed"]);
});

test("an audit log that is not whole is an event, as is one that is whole again", async () => {
  const rig = await watched();
  const call = rig.kernel.kernel.commandCall("test of records");
  for (let record = 0; record < 3; record++) await call.transact(() => Promise.resolve());
  const [{ id, role }] = await db(call).selectFrom("kernel_audit").select(["id", "role"]).orderBy("id")
    .execute() as [{ id: bigint; role: string }];
  const setRole = (text: string) =>
    rig.kernel.kernel.systemCall("test").transact(async (inner) => {
      await db(inner).updateTable("kernel_audit").set({ role: text }).where("id", "=", id).execute();
    });
  await rig.kernel.kernel.runJob("kernel.verify_audit");
  expect(await rig.watch()).toEqual([]);
  await setRole("changed");
  await rig.kernel.kernel.runJob("kernel.verify_audit");
  expect(await rig.watch()).toEqual(["kernel.audit_broke"]);
  expect(await rig.watch()).toEqual([]);
  await setRole(role);
  await rig.kernel.kernel.runJob("kernel.verify_audit");
  expect(await rig.watch()).toEqual(["kernel.audit_became_whole"]);
});
