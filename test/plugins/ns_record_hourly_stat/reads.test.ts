import { as, TestClock, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import {
  ada,
  admin,
  bob,
  createDomain,
  createRecord,
  edgehelm,
  HOUR,
  node,
  NOON,
  nsClusterId,
  plugins,
  rpc,
  service,
  upload,
  useKernel,
} from "./rig.ts";
import { NSNodeService } from "../../../plugins/ns_node/proto/service_ns_node_pb.ts";

useKernel();

test("findNSRecordHourlyStat says whose the record is, and zero if there were no queries", async () => {
  const { nsDomainId, nsRecordId } = await createDomain();
  await upload({ stats: [{ nsRecordId, bytes: 512n, countRequests: 3n }] });
  const find = async (hour: string) =>
    (await edgehelm.call(ada, service.findNSRecordHourlyStat, { nsRecordId, hour })).nsRecordHourlyStat;
  const known = { nsClusterId, nsNodeId: 0n, nsDomainId, nsRecordId };
  expect(await find("2025031012"))
    .toMatchObject({ ...known, hour: "2025031012", createdAt: NOON - 120n, bytes: 512n, countRequests: 3n });
  expect(await find("2025031013")).toMatchObject({ ...known, hour: "2025031013", bytes: 0n, countRequests: 0n });
});

test("findLatestNSRecordsHourlyStats lists 24 hours, the current one last", async () => {
  const { nsRecordId } = await createDomain();
  const ago = (hours: bigint, countRequests: bigint) => ({ nsRecordId, createdAt: NOON - hours * HOUR, countRequests });
  await upload({ stats: [ago(0n, 2n), ago(23n, 3n), ago(24n, 4n)] });
  const { nsRecordHourlyStats: found } = await edgehelm.call(ada, service.findLatestNSRecordsHourlyStats, {
    nsRecordId,
  });
  expect(found).toHaveLength(24);
  expect([found[0]!.hour, found[0]!.countRequests]).toEqual(["2025030913", 3n]);
  expect([found[23]!.hour, found[23]!.countRequests]).toEqual(["2025031012", 2n]);
  expect(found.filter(({ countRequests }) => countRequests > 0n)).toHaveLength(2);
});

test("findNSRecordHourlyStatWithRecordIds keeps the order, and omits what is not there or not the caller's", async () => {
  const [first, second] = [await createDomain(), await createDomain()];
  const silent = await createRecord(first.nsDomainId, "silent");
  await edgehelm.call(admin, rpc.updateNSDomain, { ...second, nsClusterId, userId: 8n, isOn: true });
  const ids = [second.nsRecordId, silent, first.nsRecordId, 999_999n, 0n, first.nsRecordId];
  await upload({ stats: [{ nsRecordId: first.nsRecordId }, { nsRecordId: second.nsRecordId, countRequests: 2n }] });
  const find = async (caller = admin, hour = "2025031012") => {
    const request = { nsRecordIds: ids, hour };
    const { nsRecordHourlyStats } = await edgehelm.call(caller, service.findNSRecordHourlyStatWithRecordIds, request);
    return nsRecordHourlyStats.map((stat) => [stat.nsRecordId, Number(stat.countRequests), stat.hour]);
  };
  expect(await find()).toEqual([[second.nsRecordId, 2, "2025031012"], [first.nsRecordId, 1, "2025031012"]]);
  expect(await find(ada)).toEqual([[first.nsRecordId, 1, "2025031012"]]);
  expect(await find(bob)).toEqual([[second.nsRecordId, 2, "2025031012"]]);
  expect(await find(admin, "2025031011")).toEqual([]);
});

test("findLatestNSDomainHourlyStats sums types and codes of each hour", async () => {
  const { nsDomainId } = await createDomain();
  const stat = { nsDomainId, countRequests: 2n };
  await upload({
    domainStats: [stat, { ...stat, questionType: "MX" }, { ...stat, createdAt: NOON - HOUR, bytes: 9n }],
  });
  const list = async (hours: number) => {
    const request = { nsDomainId, hours };
    const { nsDomainHourlyStats } = await edgehelm.call(ada, service.findLatestNSDomainHourlyStats, request);
    return nsDomainHourlyStats.map((each) => `${each.hour} ${each.countRequests} ${each.bytes}`);
  };
  expect(await list(3)).toEqual(["2025031010 0 0", "2025031011 2 9", "2025031012 4 200"]);
  expect(await list(1)).toEqual(["2025031012 4 200"]);
  expect(await list(0)).toHaveLength(24);
  expect(await list(744)).toHaveLength(744);
});

test("sumNSDomainStats counts the hours that it was asked for, the most first", async () => {
  const { nsDomainId, nsRecordId } = await createDomain();
  const second = await createRecord(nsDomainId, "second");
  const old = { createdAt: NOON - HOUR };
  await upload({
    stats: [{ nsRecordId }, { nsRecordId: second, countRequests: 2n }, { nsRecordId, countRequests: 9n, ...old }],
    domainStats: [{ nsDomainId }, { nsDomainId, questionType: "MX", countRequests: 2n }, { nsDomainId, ...old }],
  });
  const sum = async (hours: number) => {
    const sums = await edgehelm.call(ada, service.sumNSDomainStats, { nsDomainId, hours });
    const { countRequests, bytes, types, records } = sums;
    return [countRequests, bytes, types.map(({ name }) => name).join(), records.map((row) => row.nsRecordId)];
  };
  expect(await sum(1)).toEqual([3n, 200n, "MX,A", [second, nsRecordId]]);
  const { records } = await edgehelm.call(ada, service.sumNSDomainStats, { nsDomainId, hours: 1 });
  expect(records[0]).toMatchObject({ name: "second", type: "A", isDeleted: false, countRequests: 2n, bytes: 100n });
  expect(await sum(2)).toEqual([4n, 300n, "A,MX", [nsRecordId, second]]);
});

test("refuses what is not there or another user's, and bad hours", async () => {
  const { nsDomainId, nsRecordId } = await createDomain();
  const hour = "2025031012";
  for (const [caller, id, domain] of [[bob, nsRecordId, nsDomainId], [admin, 999_999n, 999_999n]] as const) {
    const refused = { message: `record ${id} does not exist`, reason: "ns_record_hourly_stat.record_not_found" };
    await expect(edgehelm.call(caller, service.findNSRecordHourlyStat, { nsRecordId: id, hour })).rejects
      .toMatchObject(refused);
    await expect(edgehelm.call(caller, service.findLatestNSRecordsHourlyStats, { nsRecordId: id })).rejects
      .toMatchObject(refused);
    for (const name of ["findLatestNSDomainHourlyStats", "sumNSDomainStats"] as const) {
      const ask = (asking: typeof caller, request: { nsDomainId: bigint; hours?: number }) =>
        name === "sumNSDomainStats"
          ? edgehelm.call(asking, service.sumNSDomainStats, request)
          : edgehelm.call(asking, service.findLatestNSDomainHourlyStats, request);
      await expect(ask(caller, { nsDomainId: domain })).rejects.toMatchObject({ reason: "ns_domain.not_found" });
      await expect(ask(ada, { nsDomainId, hours: 745 })).rejects.toThrow("hours: must be 1 to 744, got 745");
      await expect(ask(ada, { nsDomainId, hours: -1 })).rejects.toThrow("hours: must be 1 to 744, got -1");
    }
  }
  for (const bad of ["", "2025031024", "2025023012", "20250310", "2025-03-10"]) {
    const message = `hour: must be an hour as YYYYMMDDHH, got "${bad}"`;
    await expect(edgehelm.call(ada, service.findNSRecordHourlyStat, { nsRecordId, hour: bad })).rejects.toThrow(
      message,
    );
    const request = { nsRecordIds: [nsRecordId], hour: bad };
    await expect(edgehelm.call(ada, service.findNSRecordHourlyStatWithRecordIds, request)).rejects.toThrow(message);
  }
  const many = { nsRecordIds: Array.from({ length: 1001 }, () => 1n), hour };
  await expect(edgehelm.call(ada, service.findNSRecordHourlyStatWithRecordIds, many)).rejects
    .toThrow("nsRecordIds: must have at most 1000 items");
  await expect(edgehelm.call(ada, service.uploadNSRecordHourlyStats, {})).rejects.toMatchObject({ code: 403 });
  await expect(edgehelm.call(node, service.sumNSDomainStats, { nsDomainId })).rejects.toMatchObject({ code: 403 });
});

test("hours are those of the installation's time zone", async () => {
  await using berlin = await testKernel({
    plugins,
    clock: new TestClock(Date.parse("2026-10-25T02:30Z"), "Europe/Berlin"),
  });
  const { nsClusterId } = await berlin.call(admin, rpc.createNSCluster, { name: "main", hosts: ["ns.edge.test"] });
  const { createNSNode } = NSNodeService.method;
  const { nsNodeId } = await berlin.call(admin, createNSNode, { name: "ns1", nodeClusterId: nsClusterId });
  const { nsDomainId } = await berlin.call(admin, rpc.createNSDomain, { name: "a.example", nsClusterId });
  const at = (text: string) => BigInt(Date.parse(text) / 1000);
  const stats = ["00:30", "01:30", "02:15"].map((time) => ({
    ...{ nsDomainId, questionType: "A", responseCode: "NOERROR", countRequests: 1n },
    createdAt: at(`2026-10-25T${time}Z`),
  }));
  await berlin.call(as.dns(nsNodeId), service.uploadNSRecordHourlyStats, { domainStats: stats });
  const request = { nsDomainId, hours: 3 };
  const { nsDomainHourlyStats: found } = await berlin.call(admin, service.findLatestNSDomainHourlyStats, request);
  // clocks show the hour from two to three twice
  expect(found.map(({ hour, countRequests }) => `${hour} ${countRequests}`))
    .toEqual(["2026102501 0", "2026102502 2", "2026102503 1"]);
});
