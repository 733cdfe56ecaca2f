import { testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { countRows } from "../../harness/table_rows.ts";
import {
  clock,
  createDomain,
  createRecord,
  DAY,
  edgehelm,
  HOUR,
  NOON,
  plugins,
  queriesOf,
  sumsOf,
  upload,
  useKernel,
} from "./rig.ts";

describe("a day that is full", () => {
  useKernel({ maxRowsPerDay: 2 });

  test("counts further records, types and codes for the rest of their domains, and what it knows as before", async () => {
    const { nsDomainId, nsRecordId } = await createDomain();
    const [second, third] = [await createRecord(nsDomainId, "second"), await createRecord(nsDomainId, "third")];
    const types = (...names: string[]) => names.map((questionType) => ({ nsDomainId, questionType }));
    await upload({ stats: [{ nsRecordId }, { nsRecordId: second }], domainStats: types("A", "MX") });
    await upload({
      stats: [{ nsRecordId }, { nsRecordId: third }, { nsRecordId, createdAt: NOON - HOUR }],
      domainStats: types("A", "TXT", "NS"),
    });
    expect([await queriesOf(nsRecordId), await queriesOf(second), await queriesOf(third)]).toEqual([2, 1, 0]);
    expect(await sumsOf(nsDomainId)).toEqual({
      ...{ count: 5, bytes: 500, types: { A: 2, MX: 1, OTHER: 2 }, codes: { NOERROR: 3, OTHER: 2 } },
      records: [[0n, 2], [nsRecordId, 2], [second, 1]],
    });
    // another day has room
    await upload({ stats: [{ nsRecordId: third, createdAt: NOON - DAY }], domainStats: types("TXT") });
    expect(await queriesOf(third, "2025030912")).toBe(1);
  });
});

/** Returns the number of rows in each table. */
async function rows() {
  const tables = ["nsDomainHourlyStats", "nsRecordHourlyStats", "nsStatDays", "nsStatUploads"];
  const counts = tables.map(async (table) => [table, await countRows(edgehelm, "ns_record_hourly_stat", table)]);
  return Object.fromEntries(await Promise.all(counts));
}

describe("the job", () => {
  useKernel({ keepDays: 5 });

  test("removes statistics, counts of days and names of uploads when they are old", async () => {
    const { nsDomainId, nsRecordId } = await createDomain();
    const named = { stats: [{ nsRecordId }], domainStats: [{ nsDomainId }], uploadId: "once" };
    await upload(named);
    const job = () => edgehelm.kernel.runJob("ns_record_hourly_stat.remove_old");
    clock.advance(Number(5n * DAY));
    await job();
    expect(await queriesOf(nsRecordId)).toBe(1);
    expect(await rows()).toEqual({ nsDomainHourlyStats: 1, nsRecordHourlyStats: 1, nsStatDays: 2, nsStatUploads: 1 });
    clock.advance(Number(DAY));
    await job();
    expect(await rows()).toEqual({ nsDomainHourlyStats: 0, nsRecordHourlyStats: 0, nsStatDays: 0, nsStatUploads: 1 });
    clock.advance(Number(DAY));
    await job();
    expect(await rows()).toMatchObject({ nsStatUploads: 0 });
  });
});

describe("the settings", () => {
  test.each([
    [{ pastDays: 31 }, "pastDays: must be 0 to 30, got 31"],
    [{ keepDays: 3 }, "keepDays: must be more than pastDays, 3, and at most 1000, got 3"],
    [{ keepDays: 1001 }, "keepDays: must be more than pastDays, 3, and at most 1000, got 1001"],
    [{ maxRowsPerDay: 0 }, "maxRowsPerDay: must be at least 1, got 0"],
  ])("%o are refused with %s", async (config, message) => {
    await expect(testKernel({ plugins, config: { ns_record_hourly_stat: config } })).rejects.toThrow(message);
  });
});
