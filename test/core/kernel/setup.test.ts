import { type Contract, defineContract, definePlugin, type Setup } from "edgehelm";
import { TestClock, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { insertProbe, probePlugin, probes } from "../probe.ts";
import { plugin } from "./rig.ts";

type AnySetup = Setup<unknown, Record<never, never>, never>;

test("a timer runs on the clock of the installation, and its work reads and transacts with a system call", async () => {
  const clock = new TestClock();
  const done = Promise.withResolvers<unknown>();
  const probe = probePlugin((db, { timers, systemCall }) => {
    async function work(): Promise<unknown> {
      const call = systemCall("timer");
      await call.transact((inner) => insertProbe(db, inner, call.caller.role));
      return await probes(db, call);
    }
    timers.after(5000, () => void work().then(done.resolve, done.reject));
    timers.after(6000, () => done.reject(new Error("too late")))();
    return {};
  });
  let isDone = false;
  void done.promise.then(() => isDone = true);
  await using _ = await testKernel({ plugins: [probe], clock });
  clock.advance(4.999);
  await Promise.resolve();
  expect(isDone).toBe(false);
  clock.advance(1.001);
  expect(await done.promise).toEqual(["system"]);
});

test("the signal of a system call aborts at its deadline, with its name", async () => {
  let setup!: AnySetup;
  const probe = probePlugin((_db, own) => {
    setup = own;
    return {};
  });
  await using _ = await testKernel({ plugins: [probe] });
  const { signal } = setup.systemCall("late work", Date.now() - 1);
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  expect(signal.reason).toMatchObject({ kind: "deadline", message: expect.stringContaining("late work") });
  expect(setup.systemCall("early work", Date.now() + 60_000).signal.aborted).toBe(false);
});

test("plugins stop after the last call, with the time limit, before those that they require, while the database is open", async () => {
  const Base: Contract<object> = defineContract("base");
  const stopped: unknown[] = [];
  const base = plugin("base", {
    setup({ provide, onStop }) {
      provide(Base, {});
      onStop(async (limit) => void stopped.push(["base", limit]));
    },
  });
  const probe = probePlugin((db, { onStop, systemCall }) => {
    onStop(async (limit) => {
      const call = systemCall("stop", Date.now() + limit);
      await call.transact((inner) => insertProbe(db, inner, "stopped"));
      stopped.push(["probe", limit, await probes(db, call)]);
    });
    onStop(() => Promise.reject(new Error("cannot stop")));
    return {};
  });
  const dependent = definePlugin({
    manifest: { name: "dependent", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    requires: { base: Base },
    setup: ({ onStop }) => onStop(async (limit) => void stopped.push(["dependent", limit])),
  });
  await using edgehelm = await testKernel({ plugins: [dependent, base, probe] });
  await edgehelm.kernel.stop(60_000);
  const withinLimit = expect.toSatisfy((limit: number) => limit > 0 && limit <= 60_000);
  expect(stopped).toEqual([["probe", withinLimit, ["stopped"]], ["dependent", withinLimit], ["base", withinLimit]]);
});

test("plugins that were set up are closed if the setup of another one fails", async () => {
  const stopped: number[] = [];
  const first = plugin("first", { setup: ({ onStop }) => onStop(async (limit) => void stopped.push(limit)) });
  const second = plugin("second", {
    setup() {
      throw new Error("setup error");
    },
  });
  await expect(testKernel({ plugins: [first, second] })).rejects.toThrow("setup error");
  expect(stopped).toEqual([1000]);
});

test("nothing can be registered after setup", async () => {
  let setup!: AnySetup;
  const probe = probePlugin((_db, own) => {
    setup = own;
    return {};
  });
  await using _ = await testKernel({ plugins: [probe] });
  const calls: readonly [string, () => void][] = [
    ["every", () => setup.every({ name: "late", everySeconds: 1, run: () => Promise.resolve() })],
    ["onStop", () => setup.onStop(() => Promise.resolve())],
    ["route", () => setup.route("/late", () => new Response())],
  ];
  for (const [name, register] of calls) expect(register).toThrow(`plugin "probe" calls ${name} after its setup`);
});
