import { Code, ConnectError } from "@connectrpc/connect";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Batches } from "../../../../../plugins/ns_node/agent/queries/batches.ts";
import { type DomainSum, QueryCounts, type RecordSum } from "../../../../../plugins/ns_node/agent/queries/counts.ts";
import { uploadBatch } from "../../../../../plugins/ns_node/agent/queries/upload.ts";

const NOON = 1_741_608_000;
const query = {
  nsDomainId: "1",
  nsRecordIds: ["7"],
  type: "A",
  code: "NOERROR",
  bytes: 100,
  at: NOON + 899,
};
const NOTHING = { domains: [], records: [] };

describe("counts of queries", () => {
  test("are sums by quarter of an hour, domain, type and code, and by record", () => {
    const counts = new QueryCounts();
    expect(counts.isEmpty).toBe(true);
    expect(counts.add(query)).toBe(true);
    counts.add({ ...query, bytes: 50, at: NOON, nsRecordIds: ["7", "8"] });
    counts.add({ ...query, at: NOON + 900 });
    counts.add({ ...query, code: "NXDOMAIN", nsRecordIds: [] });
    expect(counts.isEmpty).toBe(false);
    expect(counts.sums).toEqual({
      domains: [
        [NOON, "1", "A", "NOERROR", 2, 150],
        [NOON + 900, "1", "A", "NOERROR", 1, 100],
        [NOON, "1", "A", "NXDOMAIN", 1, 100],
      ],
      records: [[NOON, "1", "7", 2, 150], [NOON, "1", "8", 1, 50], [NOON + 900, "1", "7", 1, 100]],
    });
    const again = new QueryCounts(counts.sums);
    again.add(query);
    expect(again.sums.domains[0]).toEqual([NOON, "1", "A", "NOERROR", 3, 250]);
    expect(again.sums.records[0]).toEqual([NOON, "1", "7", 3, 250]);
  });

  test("need bounded memory: what does not fit is counted for the rest of its domain, then not at all", () => {
    const counts = new QueryCounts(NOTHING, 2);
    counts.add({ ...query, nsRecordIds: ["7", "8"] });
    counts.add({ ...query, type: "MX", nsRecordIds: ["9"] });
    counts.add({ ...query, type: "TXT", nsRecordIds: ["10"] });
    counts.add({ ...query, type: "NS", nsRecordIds: ["7"] });
    expect(counts.sums.domains).toEqual([
      [NOON, "1", "A", "NOERROR", 1, 100],
      [NOON, "1", "MX", "NOERROR", 1, 100],
      [NOON, "1", "OTHER", "OTHER", 2, 200],
    ]);
    expect(counts.sums.records).toEqual([[NOON, "1", "7", 2, 200], [NOON, "1", "8", 1, 100], [NOON, "1", "0", 2, 200]]);
    expect(counts.add({ ...query, nsDomainId: "2" })).toBe(true);
    expect(counts.add({ ...query, nsDomainId: "3" })).toBe(false);
    expect(counts.add({ ...query, type: "SOA" })).toBe(true);
    expect(counts.sums.domains).toHaveLength(4);
  });
});

describe("batches on disk", () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "edgehelm-queries-"))));
  afterEach(() => rm(folder, { recursive: true }));

  test("have what was counted before a kill, up to the last flush", () => {
    const before = new Batches(folder);
    before.counts.add(query);
    before.flush();
    before.counts.add(query);
    const after = new Batches(folder);
    expect(after.next()!.sums.domains).toEqual([[NOON, "1", "A", "NOERROR", 1, 100]]);
  });

  test("keep their name and content until they are removed, whatever is counted then", () => {
    const batches = new Batches(folder);
    expect(batches.next()).toBeUndefined();
    batches.counts.add(query);
    const batch = batches.next()!;
    expect(batch.name).toMatch(/^[a-z0-9]+-[a-f0-9]{16}$/);
    batches.counts.add(query);
    batches.flush();
    expect(batches.next()).toEqual(batch);
    // as after a kill in the middle of an upload
    const again = new Batches(folder);
    expect(again.next()).toEqual(batch);
    again.remove(batch);
    const rest = again.next()!;
    expect(rest.name).not.toBe(batch.name);
    expect(rest.sums.domains).toEqual([[NOON, "1", "A", "NOERROR", 1, 100]]);
    again.remove(rest);
    expect(again.next()).toBeUndefined();
  });

  test("are written when something was counted, and files that cannot be read are passed over", async () => {
    await writeFile(join(folder, "0-0.json"), "{");
    const batches = new Batches(folder);
    batches.flush();
    expect(existsSync(join(folder, "current.json"))).toBe(false);
    batches.counts.add(query);
    expect(batches.next()!.sums.records).toEqual([[NOON, "1", "7", 1, 100]]);
    expect((await readdir(folder)).sort()).toHaveLength(2);
  });
});

describe("an upload", () => {
  const domains = (count: number, at = NOON) =>
    Array.from({ length: count }, (_, index): DomainSum => [at, `${index + 1}`, "A", "NOERROR", 1, 100]);
  const records = (count: number, at = NOON) =>
    Array.from({ length: count }, (_, index): RecordSum => [at, "1", `${index + 1}`, 1, 100]);

  /** Returns an API that notes uploads, and fails as the test says. */
  function fakeApi(error: (page: number) => Code | undefined = () => undefined) {
    const pages: { uploadId: string; domainStats: unknown[]; stats: unknown[] }[] = [];
    const uploadNSRecordHourlyStats = (request: typeof pages[number]) => {
      pages.push(request);
      const code = error(pages.length - 1);
      return code === undefined ? Promise.resolve({}) : Promise.reject(new ConnectError("refused", code));
    };
    return { pages, api: { queries: { uploadNSRecordHourlyStats }, signal: new AbortController().signal } as never };
  }

  test("has pages with names of their own, each of one day", async () => {
    const { api, pages } = fakeApi();
    const sums = { domains: [...domains(2, NOON + 86_400), ...domains(5001)], records: records(5001) };
    expect(await uploadBatch(api, { name: "x-1", sums })).toBeUndefined();
    expect(pages.map(({ uploadId, domainStats, stats }) => [uploadId, domainStats.length, stats.length]))
      .toEqual([["x-1-0", 5000, 5000], ["x-1-1", 1, 1], ["x-1-2", 2, 0]]);
    expect(pages[1]!.domainStats).toEqual([{
      ...{ nsDomainId: 5001n, questionType: "A", responseCode: "NOERROR" },
      ...{ createdAt: BigInt(NOON), countRequests: 1n, bytes: 100n },
    }]);
    const more = fakeApi();
    await uploadBatch(more.api, { name: "y", sums: { domains: domains(1), records: records(5001) } });
    expect(more.pages.map(({ domainStats, stats }) => [domainStats.length, stats.length])).toEqual([[1, 5000], [0, 1]]);
    const record = { nsDomainId: 1n, nsRecordId: 5001n, createdAt: BigInt(NOON), countRequests: 1n, bytes: 100n };
    expect(pages[1]!.stats).toEqual([record]);
  });

  test("goes on after a page that is refused, and stops at an error that may pass", async () => {
    const sums = { domains: [...domains(1), ...domains(1, NOON + 86_400)], records: [] };
    const refusing = fakeApi((page) => page === 0 ? Code.InvalidArgument : undefined);
    expect(await uploadBatch(refusing.api, { name: "x", sums })).toMatchObject({ code: Code.InvalidArgument });
    expect(refusing.pages).toHaveLength(2);
    const failing = fakeApi(() => Code.Unavailable);
    await expect(uploadBatch(failing.api, { name: "x", sums })).rejects.toMatchObject({ code: Code.Unavailable });
    expect(failing.pages).toHaveLength(1);
  });
});
