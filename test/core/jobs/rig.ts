import type { Call, Db } from "edgehelm";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach } from "vitest";
import { createLogger } from "../../../core/base/log.ts";
import { machineOutbound } from "../../../core/host/outbound/outbound.ts";
import { type JobCall, Jobs, type OwnedJob } from "../../../core/jobs/jobs.ts";
import { JobRuns } from "../../../core/jobs/job_runs.ts";
import { Leases } from "../../../core/jobs/leases.ts";
import { database } from "../../../core/storage/database.ts";
import { KernelCall } from "../../../core/storage/kernel_call.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";
import { RequestScope } from "../../../core/storage/request_scope.ts";
import { TEST_DATABASE } from "../../harness/database.ts";
import { probePlugin, type Tables } from "../probe.ts";

export const INTERVAL = 10;

export let clock: TestClock;
export let edgehelm: TestKernel;
export let probeDb: Db<Tables>;
export let logged: string;

/** Opens a kernel before each test of a file, and closes it after the test. */
export function useKernel(): void {
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
}

/** Creates an instance's jobs. Several instances share the database. */
export function instance(name: string): Jobs {
  const { engine, kernel } = edgehelm;
  const db = database<KernelTables>(KERNEL_SCOPE);
  const log = createLogger({ level: "debug", write: (line) => logged += line, clock });
  return new Jobs({
    leases: new Leases(db, clock, name),
    runs: new JobRuns(db, clock),
    clock,
    timers: clock,
    log,
    systemCall: kernel.systemCall,
    jobCall(what, beforeCommit): JobCall {
      const scope = new RequestScope({ role: "system" }, what, Infinity, what, { log, outbound: machineOutbound() });
      const call = new KernelCall(scope, engine.reader, { engine, mayWrite: true, beforeCommit });
      return { call, cancel: (reason) => scope.cancel(reason), end: () => void call.end() };
    },
  });
}

export function job(run: (call: Call) => Promise<void>): OwnedJob {
  return { owner: "probe", name: "work", everySeconds: INTERVAL, run };
}

/** Creates a job that runs until the test ends it, and counts its runs. */
export function longJob() {
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
export async function advance(intervals: number): Promise<void> {
  for (let step = 0; step < intervals * 2; step++) {
    clock.advance(INTERVAL / 2);
    await allWritten();
  }
}
