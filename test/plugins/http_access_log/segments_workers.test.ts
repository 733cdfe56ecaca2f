import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { crashBatch } from "./segments_crash.ts";
import { append, idsOf, idsOfBatches, SegmentRig } from "./segments_rig.ts";

vi.setConfig({ testTimeout: 60_000 });

const [WRITER, SEALER, READER] = [0, 1, 2];
const NO_WORKERS = "the access logs have no workers";
const WAIT = { timeout: 30_000, interval: 10 };

/** Has a thread throw what nobody catches. */
function crash(rig: SegmentRig, worker: number): void {
  rig.workers.at(worker - 4)!.postMessage(null);
}

/** Appends a batch as a node does, which sends again what was not acknowledged. */
async function appendAtLast(rig: SegmentRig, number: number): Promise<void> {
  for (;;) {
    try {
      await rig.store.append(rig.call(), crashBatch(number));
      return;
    } catch (error) {
      expect(error).toMatchObject({ kind: "unavailable", retryAfterSeconds: 1 });
      await pause(5);
    }
  }
}

test.each([["that takes in", WRITER], ["that seals", SEALER], ["that searches", READER]])(
  "a crash of the thread %s loses nothing, and all goes on by itself",
  async (_name, worker) => {
    await using rig = await SegmentRig.open({ generationRows: 1200 });
    let batches = 0;
    for (const threads of [8, 12]) {
      crash(rig, worker);
      while (rig.workers.length < threads) await appendAtLast(rig, batches++);
    }
    await appendAtLast(rig, batches++);
    expect(await idsOf(rig)).toEqual(idsOfBatches(0, batches));
    await rig.store.sealAll(rig.call());
    expect(await idsOf(rig)).toEqual(idsOfBatches(0, batches));
    const told = rig.log.filter((line) => line.includes(NO_WORKERS));
    expect(told).toHaveLength(2);
    expect(told[0]).toContain("a worker crashed: ");
  },
);

test("a store is closed while its threads are opened again", async () => {
  await using rig = await SegmentRig.open();
  await append(rig, 0, 1);
  crash(rig, WRITER);
  await vi.waitFor(() => expect(rig.log.join()).toContain(NO_WORKERS), WAIT);
  await rig.reopen();
  expect(await idsOf(rig)).toEqual(idsOfBatches(0, 1));
});

test("a store that cannot be opened says why, and is open once it can be", async () => {
  await using rig = await SegmentRig.open();
  await append(rig, 0, 1);
  const obstacle = join(rig.directory, "journal-000000099.log");
  await rig.reopen(() => mkdir(obstacle).then(() => {}));
  await expect(append(rig, 1, 2)).rejects.toMatchObject({ kind: "unavailable", retryAfterSeconds: 1 });
  await vi.waitFor(() => expect(rig.log.join()).toMatch(/have no workers.*(?:EISDIR|directory)/i), WAIT);
  await rmdir(obstacle);
  await appendAtLast(rig, 1);
  expect(await idsOf(rig)).toEqual(idsOfBatches(0, 2));
});
