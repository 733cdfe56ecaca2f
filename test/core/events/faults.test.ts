import { expect, onTestFinished, test } from "vitest";
import { kernelErrors } from "../../../core/base/errors.ts";
import type { Session, StorageEngine } from "../../../core/storage/engine.ts";
import type { ProbeRequest } from "../../fixtures/probe/proto/probe_pb.ts";
import { openTestDatabase } from "../../harness/database.ts";
import { temporaryDirectory } from "../storage/engines.ts";
import { Bell } from "./bell.ts";

/** Returns the engine, and a switch that lets its transactions fail as if the database were away. */
function breakable(engine: StorageEngine): { engine: StorageEngine; isAway: boolean } {
  const state = { engine, isAway: false };
  const runOf = (session: Session): Session["run"] => (statement, parameters, deadline) => {
    if (state.isAway) throw kernelErrors.unavailable("the database is away");
    return session.run(statement, parameters, deadline);
  };
  const write: StorageEngine["write"] = async (work, deadline) => {
    try {
      return await engine.write((session) => work({ writable: true, run: runOf(session) }), deadline);
    } finally {
      state.isAway = false;
    }
  };
  state.engine = new Proxy(engine, {
    get(target, name) {
      if (name === "write") return write;
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return state;
}

test("an event is not skipped because the database is away while the listener has it", async () => {
  const database = breakable(await openTestDatabase(await temporaryDirectory()));
  const bell = await new Bell().start({ engine: database.engine });
  let attempts = 0;
  bell.afterHeard = () => {
    if (++attempts > 20) return;
    // Until the end of the transaction.
    database.isAway = true;
    throw kernelErrors.unavailable("the database is away");
  };
  await bell.ring("late");
  await expect.poll(async () => {
    await bell.deliver();
    return await bell.heard();
  }).toEqual(["late"]);
  expect(attempts).toBe(21);
  expect(bell.logged("event not handled")).toEqual([]);
});

test.each(["unavailable", "deadline"] as const)("a listener that itself throws %s is skipped", async (kind) => {
  const bell = await new Bell().start();
  bell.afterHeard = ({ data }) => {
    if ((data as ProbeRequest).text === "bad") throw kernelErrors[kind]("the listener's own server");
  };
  await bell.ring("bad", "good");
  await bell.deliverUntilSkipped();
  expect(await bell.heard()).toEqual(["good"]);
  expect(bell.logged("event skipped")).toHaveLength(1);
});

test("an event whose data cannot be read is skipped, and those around it are delivered", async () => {
  const bell = await new Bell().start();
  await bell.ring("before");
  await bell.store("bell.rang", '{"number": "no number"}');
  await bell.ring("after");
  await bell.deliverUntilSkipped();
  expect(await bell.heard()).toEqual(["before", "after"]);
  expect(bell.logged("event skipped")).toEqual([expect.stringContaining('"event":"bell.rang"')]);
});

test("events whose kind an instance does not know wait for one that does, without holding up others", async () => {
  const directory = await temporaryDirectory();
  const withoutBell = await new Bell().start({ directory, rings: false });
  await withoutBell.store("bell.rang", '{"text":"first"}');
  await withoutBell.store("bell.rang", '{"text":"bad"}');
  await withoutBell.deliver();
  expect(await withoutBell.heard()).toEqual([]);
  await withoutBell.kernel.kernel.stop(10_000);

  const bell = await new Bell().start({ directory });
  await bell.ring("second");
  bell.afterHeard = ({ data }) => {
    if ((data as ProbeRequest).text === "bad") throw new Error("never");
  };
  await bell.deliver();
  expect(await bell.heard()).toEqual(["first", "second"]);
  await bell.deliverUntilSkipped();
  expect(bell.logged("event not handled")).toHaveLength(10);
  expect(bell.logged("event skipped")).toHaveLength(1);
});

test("an event that no instance knows within a day is dropped, which is logged", async () => {
  const directory = await temporaryDirectory();
  const withoutBell = await new Bell().start({ directory, rings: false });
  await withoutBell.store("bell.rang", '{"text":"forgotten"}');
  await withoutBell.deliver();
  withoutBell.clock.advance(86_401);
  await withoutBell.kernel.kernel.runJob("kernel.prune");
  expect(withoutBell.logged("no instance knows its kind")).toEqual([expect.stringContaining('"event":"bell.rang"')]);
  await withoutBell.kernel.kernel.stop(10_000);
  const bell = new Bell();
  bell.clock.advance(86_402);
  await bell.start({ directory });
  await bell.deliver();
  expect(await bell.heard()).toEqual([]);
});

test("a listener that hangs is skipped, and other writes go on", async () => {
  const bell = await new Bell().start();
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  let attempts = 0;
  bell.afterHeard = ({ data }) => {
    if ((data as ProbeRequest).text !== "bad") return;
    return ++attempts < 3 ? promise : Promise.reject(new Error("enough"));
  };
  await bell.ring("bad", "good");
  const delivered = bell.deliver();
  await expect.poll(() => attempts).toBe(1);
  // Others that wait for the writer end it.
  await bell.store("bell.rang", '{"text":"later"}');
  await delivered;
  await expect.poll(() => bell.logged("event not handled").length).toBeGreaterThan(0);
});
