import { mkdir, readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import type { SegmentChange } from "../../../plugins/access_log_segments/host/workers/messages.ts";
import { DAY } from "../http_access_log/stores/random_logs.ts";
import { crashBatch } from "./batches.ts";
import { append, idsOf, idsOfBatches, SegmentRig } from "./rig.ts";

const [WRITER, SEALER, READER] = [0, 1, 2];
const WORKERS_ENDED = "access log workers ended";
const WAIT = { timeout: 300_000, interval: 10 };

/** Causes an uncaught exception in a worker thread. */
function crash(rig: SegmentRig, worker: number): void {
  rig.workers.at(worker - 4)!.postMessage(null);
}

/** Appends a batch like a node, which retries until it is acknowledged. */
async function appendWithRetries(rig: SegmentRig, number: number): Promise<void> {
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

test.each([["writer", WRITER], ["sealer", SEALER], ["reader", READER]])(
  "a crash of the %s thread loses nothing, and the store recovers",
  async (_name, worker) => {
    await using rig = await SegmentRig.open({ generationRows: 1200 });
    let batches = 0;
    for (const threads of [8, 12]) {
      crash(rig, worker);
      while (rig.workers.length < threads) await appendWithRetries(rig, batches++);
    }
    await appendWithRetries(rig, batches++);
    expect(await idsOf(rig)).toEqual(idsOfBatches(0, batches));
    await rig.store.sealAll(rig.call());
    expect(await idsOf(rig)).toEqual(idsOfBatches(0, batches));
    const restarts = rig.log.filter((line) => line.includes(WORKERS_ENDED));
    expect(restarts).toHaveLength(2);
    expect(restarts[0]).toContain("a worker crashed: ");
  },
);

test("a store can be closed while its workers are restarting", async () => {
  await using rig = await SegmentRig.open();
  await append(rig, 0, 1);
  crash(rig, WRITER);
  await vi.waitFor(() => expect(rig.log.join()).toContain(WORKERS_ENDED), WAIT);
  await rig.reopen();
  expect(await idsOf(rig)).toEqual(idsOfBatches(0, 1));
});

test("a store that cannot be opened logs the reason and opens when possible", async () => {
  await using rig = await SegmentRig.open();
  await append(rig, 0, 1);
  const obstacle = join(rig.directory, "journal-000000099.log");
  await rig.reopen(() => mkdir(obstacle).then(() => {}));
  await expect(append(rig, 1, 2)).rejects.toMatchObject({ kind: "unavailable", retryAfterSeconds: 1 });
  await vi.waitFor(() => expect(rig.log.join()).toMatch(/workers ended.*(?:EISDIR|directory)/i), WAIT);
  await rmdir(obstacle);
  await appendWithRetries(rig, 1);
  expect(await idsOf(rig)).toEqual(idsOfBatches(0, 2));
});

test("a reader that learns late of a merge still finds the merged rows", async () => {
  await using rig = await SegmentRig.open({ mergeCount: 3 });
  const segments = async () =>
    (await readdir(join(rig.directory, String(DAY)))).filter((name) => name.endsWith(".seg"));
  for (const number of [0, 1]) {
    await append(rig, number, number + 1);
    await rig.store.sealAll(rig.call());
  }
  const releases = rig.workers.slice(READER).map(holdMerges);
  await append(rig, 2, 3);
  const merged = rig.store.sealAll(rig.call());
  // merged segments have numbers from 1000 on
  await vi.waitFor(async () => expect(await segments()).toContainEqual(expect.stringMatching(/-1\d{3}\.seg$/)), WAIT);
  expect(await idsOf(rig)).toEqual(idsOfBatches(0, 3));
  for (const release of releases) release();
  await merged;
  expect(await segments()).toHaveLength(1);
  expect(await idsOf(rig)).toEqual(idsOfBatches(0, 3));
  expect(rig.log.filter((line) => line.includes("damaged"))).toEqual([]);
});

/** Holds the messages about merges to a reader back until the returned function is called. */
function holdMerges(reader: Worker): () => void {
  const held: (() => void)[] = [];
  const post = reader.postMessage.bind(reader);
  let isHolding = true;
  reader.postMessage = (message: { change?: SegmentChange }, ...transfer: never[]) => {
    const isMerge = (message.change?.replaced.length ?? 0) > 0;
    if (isHolding && isMerge) held.push(() => post(message, ...transfer));
    else post(message, ...transfer);
  };
  return () => {
    isHolding = false;
    for (const send of held) send();
  };
}
