import { describe, expect, test } from "vitest";
import {
  admin,
  createCluster,
  createDomain,
  createNode,
  createRecord,
  DAY,
  droppedRows,
  edgehelm,
  HOUR,
  node,
  NOON,
  nsClusterId,
  queriesOf,
  rpc,
  service,
  sumsOf,
  upload,
  useKernel,
} from "./rig.ts";

useKernel();

const MAX = 2n ** 44n;

describe("uploadNSRecordHourlyStats", () => {
  test("adds up queries of an hour, within an upload, across uploads and nodes", async () => {
    const { nsDomainId, nsRecordId } = await createDomain();
    const stat = { nsDomainId, nsRecordId };
    await upload({ stats: [stat, { ...stat, countRequests: 2n }, { ...stat, createdAt: NOON - HOUR }] });
    await upload({ stats: [{ ...stat, countRequests: 5n }] }, await createNode(nsClusterId));
    expect(await queriesOf(nsRecordId)).toBe(8);
    expect(await queriesOf(nsRecordId, "2025031011")).toBe(1);
    expect(await sumsOf(nsDomainId)).toMatchObject({ count: 9, bytes: 400, records: [[nsRecordId, 9]] });
  });

  test("counts domains by type and code, apart from records", async () => {
    const { nsDomainId, nsRecordId } = await createDomain();
    const second = await createRecord(nsDomainId, "other");
    const domainStats = [
      { nsDomainId, countRequests: 4n },
      { nsDomainId, questionType: "AAAA", countRequests: 2n },
      { nsDomainId, questionType: "AAAA", responseCode: "NXDOMAIN" },
      { nsDomainId, questionType: "TYPE65280", responseCode: "BADCOOKIE" },
    ];
    // two records of a name respond to each of the queries
    await upload({
      stats: [{ nsRecordId, countRequests: 4n }, { nsRecordId: second, countRequests: 3n }],
      domainStats,
    });
    expect(await sumsOf(nsDomainId)).toEqual({
      ...{ count: 8, bytes: 400, types: { A: 4, AAAA: 3, OTHER: 1 }, codes: { NOERROR: 6, NXDOMAIN: 1, OTHER: 1 } },
      records: [[nsRecordId, 4], [second, 3]],
    });
  });

  test("counts rows by record for their domains if that is all that a node has", async () => {
    const { nsDomainId, nsRecordId } = await createDomain();
    await upload({ stats: [{ nsDomainId, nsRecordId }, { nsDomainId, nsRecordId: 0n, countRequests: 6n }] });
    expect(await sumsOf(nsDomainId)).toMatchObject({ count: 7, types: { "": 7 }, codes: { "": 7 } });
    expect((await sumsOf(nsDomainId)).records).toEqual([[0n, 6], [nsRecordId, 1]]);
    // a further page of a node that has both
    await upload({ stats: [{ nsRecordId }], uploadId: "page-2" });
    expect(await sumsOf(nsDomainId)).toMatchObject({ count: 7, records: [[0n, 6], [nsRecordId, 2]] });
  });

  test("takes the hour of the time, of the text, or the current one", async () => {
    const { nsRecordId } = await createDomain();
    await upload({ stats: [{ nsRecordId, createdAt: 0n, hour: "2025030923" }, { nsRecordId, createdAt: 0n }] });
    await upload({ stats: [{ nsRecordId, createdAt: NOON - 12n * HOUR, hour: "2025030901" }] });
    expect(await queriesOf(nsRecordId, "2025030923")).toBe(1);
    expect(await queriesOf(nsRecordId, "2025031012")).toBe(1);
    expect(await queriesOf(nsRecordId, "2025031000")).toBe(1);
    expect(await queriesOf(nsRecordId, "2025030901")).toBe(0);
  });

  test("drops and counts rows about what is not the node's, and stores the others", async () => {
    const own = await createDomain();
    const elsewhere = await createCluster();
    const foreign = await createDomain(elsewhere.nsClusterId);
    const before = await droppedRows();
    await upload({
      stats: [
        own,
        foreign,
        { nsRecordId: foreign.nsRecordId },
        { nsDomainId: own.nsDomainId, nsRecordId: foreign.nsRecordId },
        { nsDomainId: foreign.nsDomainId, nsRecordId: own.nsRecordId },
        { nsRecordId: 999_999n },
        { nsDomainId: 999_999n },
        {},
        { ...own, nsNodeId: elsewhere.node.id },
        { ...own, nsClusterId: elsewhere.nsClusterId },
        { ...own, nsNodeId: node.id, nsClusterId },
      ],
      domainStats: [{ nsDomainId: own.nsDomainId }, { nsDomainId: foreign.nsDomainId }, { nsDomainId: 999_999n }],
    });
    expect(await droppedRows()).toBe(before + 11);
    expect(await sumsOf(own.nsDomainId)).toMatchObject({ count: 1, records: [[own.nsRecordId, 2]] });
    expect(await sumsOf(foreign.nsDomainId)).toMatchObject({ count: 0, records: [] });
    await upload({ stats: [foreign] }, elsewhere.node);
    expect(await queriesOf(foreign.nsRecordId)).toBe(1);
  });

  test("takes queries of records that were deleted, and none of domains that were", async () => {
    const { nsDomainId, nsRecordId } = await createDomain();
    await edgehelm.call(admin, rpc.deleteNSRecord, { nsRecordId });
    await upload({ stats: [{ nsRecordId }] });
    expect(await queriesOf(nsRecordId)).toBe(1);
    const { records } = await edgehelm.call(admin, service.sumNSDomainStats, { nsDomainId });
    expect(records).toMatchObject([{ nsRecordId, name: "www", type: "A", isDeleted: true }]);
    await edgehelm.call(admin, rpc.deleteNSDomain, { nsDomainId });
    const before = await droppedRows();
    await upload({ stats: [{ nsRecordId }], domainStats: [{ nsDomainId }] });
    expect(await droppedRows()).toBe(before + 2);
  });

  test("stores an upload with a name once for each node", async () => {
    const { nsDomainId, nsRecordId } = await createDomain();
    const named = { stats: [{ nsRecordId }], domainStats: [{ nsDomainId }], uploadId: "a-1" };
    await upload(named);
    await upload(named);
    expect(await queriesOf(nsRecordId)).toBe(1);
    await upload({ ...named, uploadId: "a-2" });
    await upload(named, await createNode(nsClusterId));
    expect(await queriesOf(nsRecordId)).toBe(3);
    expect(await sumsOf(nsDomainId)).toMatchObject({ count: 3 });
  });

  test("does not note the name of an upload that it refuses", async () => {
    const { nsRecordId } = await createDomain();
    await expect(upload({ stats: [{ nsRecordId, bytes: -1n }], uploadId: "b-1" })).rejects.toThrow();
    await upload({ stats: [{ nsRecordId }], uploadId: "b-1" });
    expect(await queriesOf(nsRecordId)).toBe(1);
  });

  test.each([
    [{ stats: [{}, { bytes: -1n }] }, "stats[1].bytes: must be 0 to 17592186044416, got -1"],
    [{ stats: [{ countRequests: -5n }] }, "stats[0].countRequests: must be 0 to"],
    [{ stats: [{ countRequests: MAX + 1n }] }, "stats[0].countRequests: must be 0 to"],
    [{ stats: [{ nsRecordId: -1n }] }, "stats[0].nsRecordId: must not be negative, got -1"],
    [{ stats: [{ nsNodeId: -1n }] }, "stats[0].nsNodeId: must not be negative, got -1"],
    [{ stats: [{ createdAt: NOON + 2n * DAY }] }, "stats[0].createdAt: must not be in the future"],
    [{ stats: [{ createdAt: NOON - 4n * DAY }] }, "stats[0].createdAt: must be at most 3 days ago"],
    [{ stats: [{ createdAt: -1n }] }, "stats[0].createdAt: must be at most 3 days ago"],
    [{ stats: [{ createdAt: 0n, hour: "2025030600" }] }, "stats[0].hour: must be at most 3 days ago"],
    [
      { stats: [{ createdAt: 0n, hour: "2025031024" }] },
      'stats[0].hour: must be an hour as YYYYMMDDHH, got "2025031024"',
    ],
    [{ domainStats: [{ nsDomainId: 0n }] }, "domainStats[0].nsDomainId: must be greater than 0, got 0"],
    [{ domainStats: [{ nsDomainId: 1n, bytes: MAX + 1n }] }, "domainStats[0].bytes: must be 0 to"],
    [
      { domainStats: [{ nsDomainId: 1n, questionType: "a b" }] },
      "domainStats[0].questionType: must be 1 to 16 capital",
    ],
    [{ domainStats: [{ nsDomainId: 1n, responseCode: "" }] }, "domainStats[0].responseCode: must be 1 to 16 capital"],
    [{ domainStats: [{ nsDomainId: 1n, createdAt: NOON - 4n * DAY }] }, "domainStats[0].createdAt: must be at most 3"],
    [{ uploadId: "x".repeat(65) }, "uploadId: must be at most 64 letters, digits and hyphens"],
    [{ uploadId: "a/b" }, 'uploadId: must be at most 64 letters, digits and hyphens, got "a/b"'],
    [{ stats: Array.from({ length: 10_001 }, () => ({})) }, "stats"],
    [{ domainStats: Array.from({ length: 10_001 }, () => ({ nsDomainId: 1n })) }, "domainStats"],
  ])("refuses %o with %s", async (request, message) => {
    await expect(upload(request)).rejects.toThrow(message);
  });

  test("keeps figures within bounds, whatever nodes say", async () => {
    const { nsDomainId, nsRecordId } = await createDomain();
    const huge = { bytes: MAX, countRequests: MAX };
    const many = Array.from({ length: 10_000 }, () => ({ nsRecordId, ...huge }));
    await upload({ stats: many });
    await upload({ stats: many, domainStats: [{ nsDomainId, ...huge }, { nsDomainId, ...huge, questionType: "MX" }] });
    expect(await queriesOf(nsRecordId)).toBe(Number(MAX));
    expect(await sumsOf(nsDomainId)).toMatchObject({ count: 3 * Number(MAX), records: [[nsRecordId, Number(MAX)]] });
  });
});
