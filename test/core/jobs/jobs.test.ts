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

const INTERVAL = 10;

let clock: TestClock;
let edgehelm: TestKernel;
let probeDb: Db<Tables>;
let logged: string;
// These tests rely on sequential writes, which only a file has. test/core/kernel/instances.test.ts covers a server.
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

/** Creates an instance's jobs. Several instances share the database. */
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
  return { owner: "probe", name: "work", everySeconds: INTERVAL, run };
}

/** Creates a job that runs until the test ends it, and counts its runs. */
function longJob() {
  const end = Promise.withResolvers<void>();
  const began = Promise.withResolvers<Call>();
  const state = { runs: 0, began: began.promise, end: end.resolve };
  const long = job(async (call) => {
    state.runs++;
    began.resolve(call);
    await end.promise;
  });
  return Object.assign(state, { job: long });
}

/** Waits for all earlier writes, which run sequentially. */
async function allWritten(): Promise<void> {
  for (let round = 0; round < 3; round++) await edgehelm.kernel.systemCall("test").transact(async () => {});
}

/** Advances the clock in steps, so that each renewal can complete its write. */
async function advance(intervals: number): Promise<void> {
  for (let step = 0; step < intervals * 2; step++) {
    clock.advance(INTERVAL / 2);
    await allWritten();
  }
}

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

test("the call of a job ends with the job", async () => {
  let savedCall: Call | undefined;
  await instance("one").run(job(async (call) => void (savedCall = call)));
  await expect(probes(probeDb, savedCall!)).rejects.toThrow("this call has ended");
});
