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

/** Triggers an event and returns the names of the jobs that it ran. */
async function event(): Promise<string[]> {
  ran = [];
  await edgehelm.kernel.runDueJobs();
  return ran;
}

test("an event runs the jobs that are due", async () => {
  expect(await event()).toEqual(["often", "each_minute", "hourly"]);
  expect(await event()).toEqual([]);
  clock.advance(MINUTE);
  expect(await event()).toEqual(["often", "each_minute"]);
});

test("an event that is slightly early still runs the job", async () => {
  await event();
  clock.advance(MINUTE - 2);
  expect(await event()).toContain("each_minute");
  clock.advance(50 * MINUTE);
  expect(await event()).not.toContain("hourly");
  clock.advance(10 * MINUTE);
  expect(await event()).toContain("hourly");
});

test("a job that fails runs again when it is due", async () => {
  fails = true;
  expect(await event()).toEqual(["often", "each_minute", "hourly"]);
  expect(await event()).toEqual([]);
  clock.advance(MINUTE);
  expect(await event()).toEqual(["often", "each_minute"]);
});

test("two concurrent events run each job once", async () => {
  await Promise.all([edgehelm.kernel.runDueJobs(), edgehelm.kernel.runDueJobs()]);
  expect(ran.toSorted()).toEqual(["each_minute", "hourly", "often"]);
});

test("an event does not run a job whose lease a server holds", async () => {
  await edgehelm.kernel.runJob("worker.hourly");
  expect(await event()).toEqual(["often", "each_minute"]);
  // The server has disappeared: its lease expires after two and a half intervals.
  clock.advance(2.5 * 60 * MINUTE);
  expect(await event()).toContain("hourly");
});
