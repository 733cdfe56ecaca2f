import { type Call, type Db } from "edgehelm";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type JobCall, Jobs, type OwnedJob } from "../../../core/jobs/jobs.ts";
import { KernelCall } from "../../../core/storage/kernel_call.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";
import { Leases } from "../../../core/jobs/leases.ts";
import { createLogger } from "../../../core/base/log.ts";
import { RequestScope } from "../../../core/storage/request_scope.ts";
import { database } from "../../../core/storage/database.ts";
import { TEST_DATABASE } from "../../harness/database.ts";
import { insertProbe, probePlugin, probes, type Tables } from "../probe.ts";

const PERIOD = 10;

let clock: TestClock;
let edgehelm: TestKernel;
let probeDb: Db<Tables>;
let logged: string;
// They count on writes that run one after another, as those to a file do; test/core/instances has jobs on a server.
beforeEach(async ({ skip }) => {
  skip(TEST_DATABASE !== "file");
  clock = new TestClock();
  logged = "";
  edgehelm = await testKernel({
    clock,
    plugins: [probePlugin((db) => {
      probeDb = db;
      return {};
    })],
  });
});
afterEach(() => edgehelm?.[Symbol.asyncDispose]());

/** The jobs of one instance; several share the database, as on several machines. */
function instance(name: string): Jobs {
  const { engine, kernel } = edgehelm;
  const log = createLogger({ level: "debug", write: (line) => logged += line, clock });
  return new Jobs({
    leases: new Leases(database<KernelTables>(KERNEL_SCOPE), clock, name),
    clock,
    timers: clock,
    log,
    systemCall: kernel.systemCall,
    jobCall(what, beforeCommit): JobCall {
      const scope = new RequestScope({ role: "system" }, what, Infinity, what, log);
      const call = new KernelCall(scope, engine.reader, { engine, mayWrite: true, beforeCommit });
      return { call, cancel: (reason) => scope.cancel(reason), end: () => void call.end() };
    },
  });
}

function job(run: (call: Call) => Promise<void>): OwnedJob {
  return { owner: "probe", name: "work", everySeconds: PERIOD, run };
}

/** A job that runs until it is told to end, and counts how often it began. */
function longJob() {
  const end = Promise.withResolvers<void>();
  const began = Promise.withResolvers<Call>();
  const found = { runs: 0, began: began.promise, end: end.resolve };
  const long = job(async (call) => {
    found.runs++;
    began.resolve(call);
    await end.promise;
  });
  return Object.assign(found, { job: long });
}

/** Writes run one after another, so this comes after what was asked for before. */
async function allWritten(): Promise<void> {
  for (let round = 0; round < 3; round++) await edgehelm.kernel.systemCall("test").transact(async () => {});
}

/** Moves on so that renewals, which take a write each, keep up. */
async function advance(periods: number): Promise<void> {
  for (let tenth = 0; tenth < periods * 2; tenth++) {
    clock.advance(PERIOD / 2);
    await allWritten();
  }
}

test("the first round comes within a period, and then one each period", async () => {
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

describe("of two instances", () => {
  test("one runs a job, and the other takes over at once when that stops", async () => {
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

  test("the other takes over when one is gone without a word for 2.5 periods", async () => {
    const runs: string[] = [];
    await instance("one").run(job(async () => void runs.push("one")));
    const two = instance("two");
    clock.advance(2.4 * PERIOD);
    await two.run(job(async () => void runs.push("two")));
    clock.advance(0.1 * PERIOD);
    await two.run(job(async () => void runs.push("two")));
    expect(runs).toEqual(["one", "two"]);
  });

  test("neither runs before its time what the other one, or one that is gone, began", async () => {
    const runs: string[] = [];
    const by = (name: string) => job(async () => void runs.push(name));
    const [one, two] = [instance("one"), instance("two")];
    await one.runIfDue(by("one"));
    await one.stop(1000);
    await two.runIfDue(by("two"));
    clock.advance(0.8 * PERIOD);
    await two.runIfDue(by("two"));
    expect(runs).toEqual(["one"]);
    clock.advance(0.2 * PERIOD);
    await two.runIfDue(by("two"));
    expect(runs).toEqual(["one", "two"]);
  });

  test("both go on when a clock was wrong", async () => {
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

  test("one keeps the lease of a job that takes longer, which runs once", async () => {
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

  test("one that lost its lease is told so, and can write no more", async () => {
    const one = instance("one");
    const told = Promise.withResolvers<void>();
    const running = one.run(job(async (call) => {
      call.signal.addEventListener("abort", () => told.resolve());
      // As when a process is halted for long and does not know it.
      await edgehelm.kernel.systemCall("test").transact(async (inner) => {
        await database<KernelTables>(KERNEL_SCOPE)(inner).updateTable("kernel_leases").set({ holder: "two" }).execute();
      });
      await expect(call.transact((inner) => insertProbe(probeDb, inner, "late"))).rejects.toThrow("is lost");
      clock.advance(PERIOD);
      await told.promise;
      call.signal.throwIfAborted();
    }));
    await running;
    expect(await probes(probeDb, edgehelm.kernel.systemCall("test"))).toEqual([]);
    expect(logged).toContain("the lease of the job probe.work is lost: another instance runs it");
  });
});

describe("a stop", () => {
  test("ends the job's signal, waits for it, and gives its lease back", async () => {
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
    let taken = false;
    await two.run(job(async () => void (taken = true)));
    expect(taken).toBe(true);
  });

  test("ends a job that looks at no signal with its next transaction", async () => {
    const jobs = instance("one");
    const began = Promise.withResolvers<void>();
    let pieces = 0;
    const running = jobs.run(job(async (call) => {
      for (;;) {
        await call.transact((inner) => insertProbe(probeDb, inner, `${pieces++}`));
        began.resolve();
      }
    }));
    await began.promise;
    await jobs.stop(1000);
    await running;
    expect((await probes(probeDb, edgehelm.kernel.systemCall("test"))).length).toBe(pieces - 1);
    expect(logged).toContain("a job was ended by the stop");
  });

  test("does not wait longer than it may, and leaves what still runs its lease", async () => {
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

test("a job gets a call that ends with it", async () => {
  let kept: Call | undefined;
  await instance("one").run(job(async (call) => void (kept = call)));
  await expect(probes(probeDb, kept!)).rejects.toThrow("this call has ended");
});
