import { as, stub, TestClock, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { Nodes } from "../../../plugins/node/contract.ts";
import { Servers } from "../../../plugins/server/contract.ts";
import plugin from "../../../plugins/server_daily_stat/plugin.ts";
import { admin, biller, bills, service } from "./rig.ts";

const utc = (text: string) => BigInt(Date.parse(`${text}Z`) / 1000);

async function kernelIn(timeZone: string, now: string) {
  const site = { id: 1n, name: "", userId: 7n, nodeClusterId: 1n, userPlanId: 0n, servedUntil: undefined };
  const edgehelm = await testKernel({
    plugins: [plugin, biller],
    stubs: [
      stub(Servers, { servedByCaller: async () => new Map([[1n, site]]) }),
      stub(Nodes, { summaries: async () => new Map() }),
    ],
    clock: new TestClock(Number(utc(now)) * 1000, timeZone),
  });
  const upload = (...times: string[]) =>
    edgehelm.call(as.node(1n), service.uploadServerDailyStats, {
      stats: times.map((text) => ({ serverId: 1n, bytes: 300n, createdAt: utc(text) })),
    });
  const sum = async (day: string) =>
    (await edgehelm.call(admin, service.sumServerDailyStats, { serverId: 1n, day })).serverDailyStat!.bytes / 300n;
  const slots = async (day: string, span = {}) => {
    const { stats } = await edgehelm.call(admin, service.findServer5MinutelyStatsWithDay, {
      serverId: 1n,
      day,
      ...span,
    });
    return stats.map(({ timeFrom, timeTo }) => `${timeFrom}-${timeTo}`);
  };
  return { edgehelm, upload, sum, slots, [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose]() };
}

describe("days of statistics", () => {
  test("begin at midnight in zones with odd offsets", async () => {
    await using rig = await kernelIn("Asia/Kathmandu", "2026-02-01T12:00");
    await rig.upload("2026-01-31T18:14:59", "2026-01-31T18:15:00", "2026-02-01T11:59:59");
    expect([await rig.sum("20260131"), await rig.sum("20260201")]).toEqual([1n, 2n]);
    expect([await rig.slots("20260131"), await rig.slots("20260201")])
      .toEqual([["235500-235959"], ["000000-000459", "174000-174459"]]);
  });

  test("that last 25 hours have 300 slots, two of them with the same time", async () => {
    await using rig = await kernelIn("Europe/Berlin", "2026-10-25T23:30");
    await rig.upload(
      "2026-10-24T22:00",
      "2026-10-25T00:30",
      "2026-10-25T01:30",
      "2026-10-25T22:59",
      "2026-10-25T23:00",
    );
    expect([await rig.sum("20261025"), await rig.sum("20261026")]).toEqual([4n, 1n]);
    expect(await rig.slots("20261025"))
      .toEqual(["000000-000459", "023000-023459", "023000-023459", "235500-235959"]);
    expect(await rig.slots("20261025", { timeFrom: "023200", timeTo: "025959" })).toHaveLength(2);
    const hourly = await rig.edgehelm.call(admin, service.findLatestServerHourlyStats, { serverId: 1n, hours: 25 });
    expect(hourly.stats.map(({ hour }) => hour).slice(0, 2)).toEqual(["2026102500", "2026102501"]);
    expect(hourly.stats.find(({ hour }) => hour === "2026102502")?.bytes).toBe(600n);
  });

  test("that last 23 hours have 276 slots", async () => {
    await using rig = await kernelIn("Europe/Berlin", "2026-03-29T21:59");
    await rig.upload("2026-03-29T00:59", "2026-03-29T01:00", "2026-03-29T21:59");
    expect(await rig.slots("20260329")).toEqual(["015500-015959", "030000-030459", "235500-235959"]);
    // the highest 3 of 276 samples are not empty: the percentile 98.95 leaves out 2 of them
    const bandwidth = await bills.bandwidth(
      rig.edgehelm.kernel.systemCall("test"),
      [7n],
      "20260329",
      "20260329",
      98.95,
    );
    expect(bandwidth.get(1n)).toBe(1n);
    expect((await bills.bandwidth(rig.edgehelm.kernel.systemCall("test"), [7n], "20260329", "20260329", 98.9)).get(1n))
      .toBe(0n);
  });

  test("of nodes' uploads and of texts are those of the zone", async () => {
    await using rig = await kernelIn("America/New_York", "2026-06-15T03:00");
    await expect(rig.upload("2026-06-11T03:59:59")).rejects.toMatchObject({
      message: expect.stringContaining("on 2026-06-11 or later"),
    });
    await rig.upload("2026-06-11T04:00:00");
    await rig.edgehelm.call(admin, service.uploadServerDailyStats, {
      stats: [{ serverId: 1n, bytes: 300n, day: "20260610", timeFrom: "233000" }],
    });
    expect([await rig.sum("20260611"), await rig.slots("20260610")]).toEqual([1n, ["233000-233459"]]);
  });
});
