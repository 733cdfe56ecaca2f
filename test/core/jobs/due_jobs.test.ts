import { definePlugin, type Plugin } from "edgehelm";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const MINUTE = 60;

let clock: TestClock;
let edgehelm: TestKernel;
let ran: string[];
let fails: boolean;
let directory: string;
beforeEach(async () => {
  clock = new TestClock();
  ran = [];
  fails = false;
  directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  edgehelm = await testKernel({ clock, directory, plugins: [worker] });
});
afterEach(async () => {
  await edgehelm.stop();
  await rm(directory, { recursive: true });
});

const worker: Plugin = definePlugin({
  manifest: { name: "worker", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup({ every }) {
    for (const [name, everySeconds] of [["often", 5], ["each_minute", MINUTE], ["hourly", 60 * MINUTE]] as const) {
      every({
        name,
        everySeconds,
        run: () => {
          ran.push(name);
          return fails ? Promise.reject(new Error("not today")) : Promise.resolve();
        },
      });
    }
  },
});

/** An event that comes, and the jobs that it ran. */
async function event(): Promise<string[]> {
  ran = [];
  await edgehelm.kernel.runDueJobs();
  return ran;
}

test("an event runs what is due, and the next one what is due by then", async () => {
  expect(await event()).toEqual(["often", "each_minute", "hourly"]);
  expect(await event()).toEqual([]);
  clock.advance(MINUTE);
  expect(await event()).toEqual(["often", "each_minute"]);
});

test("events that come a little early skip no turn", async () => {
  await event();
  clock.advance(MINUTE - 2);
  expect(await event()).toContain("each_minute");
  clock.advance(50 * MINUTE);
  expect(await event()).not.toContain("hourly");
  clock.advance(10 * MINUTE);
  expect(await event()).toContain("hourly");
});

test("a job that fails has its turn again when it is due", async () => {
  fails = true;
  expect(await event()).toEqual(["often", "each_minute", "hourly"]);
  expect(await event()).toEqual([]);
  clock.advance(MINUTE);
  expect(await event()).toEqual(["often", "each_minute"]);
});

test("two events at once run each job once", async () => {
  await Promise.all([edgehelm.kernel.runDueJobs(), edgehelm.kernel.runDueJobs()]);
  expect(ran.toSorted()).toEqual(["each_minute", "hourly", "often"]);
});

test("what a host keeps the lease of is the host's", async () => {
  await edgehelm.kernel.runJob("worker.hourly");
  expect(await event()).toEqual(["often", "each_minute"]);
  // The host is gone: its lease runs out after two periods and a half.
  clock.advance(2.5 * 60 * MINUTE);
  expect(await event()).toContain("hourly");
});
