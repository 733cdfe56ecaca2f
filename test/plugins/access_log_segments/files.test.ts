import { appendFile, open, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Call } from "edgehelm";
import { describe, expect, test, vi } from "vitest";
import type { LogFilter } from "../../../plugins/http_access_log/contract/log_store.ts";
import { SegmentStore } from "../../../plugins/access_log_segments/host/segment_store.ts";
import { wholeDay } from "../http_access_log/stores/filters.ts";
import { BATCH_ROWS } from "./batches.ts";
import { append, idsOf, idsOfBatches, QUIET, SegmentRig } from "./rig.ts";
import { DAY } from "../http_access_log/stores/random_logs.ts";

/** The position of the overwritten bytes of a segment. */
const DAMAGED_AT = 2000;

async function segmentsIn(rig: SegmentRig): Promise<string[]> {
  const names = await readdir(join(rig.directory, String(DAY))).catch(() => []);
  return names.filter((name) => name.endsWith(".seg")).sort();
}

async function bytesIn(rig: SegmentRig): Promise<number> {
  const names = await readdir(rig.directory, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(rig.directory, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe("the directory", () => {
  test("is used by one store at a time", async () => {
    await using rig = await SegmentRig.open();
    await append(rig, 0, 1);
    expect(() => new SegmentStore({ directory: rig.directory }, QUIET)).toThrow(/in use by another process/);
    await rig.reopen();
    expect(await idsOf(rig)).toEqual(idsOfBatches(0, 1));
  });

  test("keeps unsealed acknowledged logs even if the journal ends with an incomplete record", async () => {
    await using rig = await SegmentRig.open();
    await append(rig, 0, 5);
    for (const garbage of [new Uint8Array(7).fill(9), new Uint8Array(100_000)]) {
      await rig.reopen(async () => {
        const journal = (await readdir(rig.directory)).find((name) => name.startsWith("journal-"))!;
        await appendFile(join(rig.directory, journal), garbage);
      });
      expect(await idsOf(rig)).toEqual(idsOfBatches(0, 5));
    }
    await append(rig, 5, 6);
    await rig.reopen();
    expect(await idsOf(rig)).toEqual(idsOfBatches(0, 6));
  });

  test("does not accumulate small files", async () => {
    await using rig = await SegmentRig.open({ mergeCount: 4 });
    for (let number = 0; number < 24; number++) {
      await append(rig, number, number + 1);
      await rig.store.sealAll(rig.call());
    }
    expect((await segmentsIn(rig)).length).toBeLessThan(8);
    expect(await idsOf(rig)).toEqual(idsOfBatches(0, 24));
    await rig.reopen();
    expect(await idsOf(rig)).toEqual(idsOfBatches(0, 24));
  });
});

describe("a damaged segment", () => {
  test.each([
    ["in its rows", DAMAGED_AT, /block of rows is damaged/],
    ["in its footer", -40, /damaged/],
  ])("%s is logged, and the others are searched", async (_name, position, message) => {
    await using rig = await SegmentRig.open({ mergeCount: 99 });
    for (const from of [0, 20, 40]) {
      await append(rig, from, from + 20);
      await rig.store.sealAll(rig.call());
    }
    const [, middle = ""] = await segmentsIn(rig);
    await rig.reopen(async () => {
      const path = join(rig.directory, String(DAY), middle);
      const at = position < 0 ? (await stat(path)).size + position : position;
      const file = await open(path, "r+");
      await file.write(new Uint8Array(30).fill(255), 0, 30, at);
      await file.close();
    });
    const ids = new Set(await idsOf(rig));
    for (const id of [...idsOfBatches(0, 20), ...idsOfBatches(40, 60)]) expect(ids.has(id)).toBe(true);
    const lines = rig.log.filter((line) => line.includes(middle));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(message);
    await append(rig, 60, 61);
  });

  test("that is truncated is logged when the store opens", async () => {
    await using rig = await SegmentRig.open();
    await append(rig, 0, 20);
    await rig.store.sealAll(rig.call());
    const [name = ""] = await segmentsIn(rig);
    await rig.reopen(() => truncate(join(rig.directory, String(DAY), name), 3000));
    await append(rig, 20, 21);
    expect(await idsOf(rig)).toEqual(idsOfBatches(20, 21));
    expect(rig.log.filter((line) => line.includes(name) && line.includes("truncated"))).toHaveLength(1);
  });
});

describe("a dropped day", () => {
  test("frees its space, sealed or not, and stays deleted", async () => {
    await using rig = await SegmentRig.open();
    await append(rig, 0, 20);
    await rig.store.sealAll(rig.call());
    await append(rig, 20, 40);
    await rig.store.dropDay(rig.call(), DAY);
    expect(await idsOf(rig)).toEqual([]);
    await rig.store.sealAll(rig.call());
    expect(await bytesIn(rig)).toBeLessThan(2000);
    await append(rig, 1, 2);
    await rig.reopen();
    expect(await idsOf(rig)).toEqual(idsOfBatches(1, 2));
  });
});

describe("removed rows", () => {
  test("stay removed, sealed or not, and can be appended again", async () => {
    await using rig = await SegmentRig.open();
    await append(rig, 1, 4);
    await rig.store.sealAll(rig.call());
    await append(rig, 4, 7);
    for (const userId of [2n, 5n]) {
      expect(await rig.store.removeOfUser(rig.call(), userId, 150)).toBe(150);
      expect(await rig.store.removeOfUser(rig.call(), userId, 150)).toBe(BATCH_ROWS - 150);
    }
    const remaining = idsOfBatches(1, 7).filter((id) =>
      !idsOfBatches(2, 3).includes(id) && !idsOfBatches(5, 6).includes(id)
    );
    expect(await idsOf(rig)).toEqual(remaining);
    await rig.reopen();
    expect(await idsOf(rig)).toEqual(remaining);
    await rig.store.sealAll(rig.call());
    expect(await idsOf(rig)).toEqual(remaining);
    await append(rig, 2, 3);
    await rig.reopen();
    expect(await idsOf(rig)).toEqual([...remaining, ...idsOfBatches(2, 3)].sort().reverse());
  });
});

describe("a search", () => {
  test.each([[false], [true]])(
    "without time remaining continues from where it stopped (oldestFirst %s)",
    async (oldestFirst) => {
      await using rig = await SegmentRig.open({ generationRows: 4000, mergeCount: 99 });
      await append(rig, 0, 60);
      const late = { ...rig.call(), deadline: Date.now(), signal: rig.call().signal } as Call;
      const filter: LogFilter = { ...wholeDay(), keyword: { kind: "contains", column: "referer", text: "nowhere" } };
      const expected = idsOfBatches(0, 60);
      if (oldestFirst) expected.reverse();
      expect(await idsOf(rig, wholeDay(), { oldestFirst, size: 1000 }, late)).toEqual(expected);
      expect(await idsOf(rig, filter, { oldestFirst }, late)).toEqual([]);
      const some: LogFilter = { ...wholeDay(), keyword: { kind: "anywhere", text: "text 17" } };
      const found = await idsOf(rig, some, { oldestFirst, size: 7 }, late);
      expect(found.toSorted()).toEqual(idsOfBatches(17, 18).toSorted());
    },
  );
});

test("refuses logs while sealing fails, then recovers", async () => {
  await using rig = await SegmentRig.open({ generationRows: 1000, retryTime: 50 });
  await rig.store.days(rig.call());
  // a file in place of the folder of the day
  await writeFile(join(rig.directory, String(DAY)), "");
  let acknowledged = 0;
  const appending = (async () => {
    for (;; acknowledged++) await append(rig, acknowledged, acknowledged + 1);
  })();
  await expect(appending).rejects.toThrow(/cannot seal access logs: .*(exist|EEXIST)/i);
  expect(await idsOf(rig)).toEqual(idsOfBatches(0, acknowledged));
  expect(await readFile(join(rig.directory, String(DAY)), "utf8")).toBe("");
  await rm(join(rig.directory, String(DAY)));
  await vi.waitFor(() => append(rig, acknowledged, acknowledged + 1), { timeout: 300_000, interval: 50 });
  await rig.store.sealAll(rig.call());
  expect(await idsOf(rig)).toEqual(idsOfBatches(0, acknowledged + 1));
});
