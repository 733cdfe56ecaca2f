import { definePlugin, type Plugin } from "edgehelm";
import { as, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Servers } from "../../../plugins/server/contract.ts";
import { ServerDailyStats } from "../../../plugins/server_daily_stat/contract.ts";
import { Nodes } from "../../../plugins/node/contract.ts";
import plugin from "../../../plugins/server_daily_stat/plugin.ts";
import { ServerDailyStatService } from "../../../plugins/server_daily_stat/proto/service_server_daily_stat_pb.ts";

const service = ServerDailyStatService.method;
const admin = as.admin();
const node = as.node(1n);
const DAY = 86_400n;

/** 2025-03-10 12:02 in UTC. */
const NOON = 1741608120n;

let bills: ServerDailyStats;
const biller: Plugin = definePlugin({
  manifest: { name: "biller", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { stats: ServerDailyStats },
  setup: ({ deps }) => void (bills = deps.stats),
});

let edgehelm: TestKernel;
const clock = new TestClock(Number(NOON) * 1000);
/** The owners of the servers; server 9 does not exist. */
const owners = new Map([[1n, 7n], [2n, 7n], [3n, 8n]]);
beforeAll(async () => {
  const servers: Partial<Servers> = {
    summaries: async (_call, ids) =>
      new Map(
        ids.filter((id) => owners.has(id))
          .map((id) => [id, { id, name: "", userId: owners.get(id)!, nodeClusterId: 1n, userPlanId: 0n }]),
      ),
  };
  const node = { id: 2n, name: "two", isOn: true, nodeClusterId: 1n, nodeRegionId: 6n };
  const nodes: Partial<Nodes> = { summaries: async (_call, ids) => new Map(ids.includes(2n) ? [[2n, node]] : []) };
  edgehelm = await testKernel({
    plugins: [plugin, biller],
    stubs: [stub(Servers, servers), stub(Nodes, nodes)],
    clock,
  });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

let server = 0n;
// each test has its own server of user 7 without statistics
beforeEach(() => void owners.set(server = BigInt(owners.size) + 100n, 7n));

function upload(...stats: { serverId?: bigint; bytes?: bigint; createdAt?: bigint; nodeRegionId?: bigint }[]) {
  const request = { stats: stats.map((stat) => ({ serverId: server, bytes: 1n, createdAt: NOON, ...stat })) };
  return edgehelm.call(node, service.uploadServerDailyStats, request);
}

describe("uploadServerDailyStats", () => {
  test("sums values within and across uploads, by region and day", async () => {
    await upload({ bytes: 5n }, { bytes: 6n }, { bytes: 7n, nodeRegionId: 2n }, { bytes: 100n, createdAt: NOON - DAY });
    await upload({ bytes: 8n });
    const sum = async (request: object) =>
      (await edgehelm.call(admin, service.sumServerDailyStats, { serverId: server, ...request })).serverDailyStat
        ?.bytes;
    expect(await sum({ day: "20250310" })).toBe(26n);
    expect(await sum({ day: "20250310", nodeRegionId: 2n })).toBe(7n);
    expect(await sum({ dayFrom: "20250309", dayTo: "20250310" })).toBe(126n);
    const month = { serverId: server, month: "202503" };
    expect((await edgehelm.call(admin, service.sumServerMonthlyStats, month)).serverMonthlyStat?.bytes).toBe(126n);
    const today = await edgehelm.call(admin, service.sumCurrentServerDailyStats, { serverId: server });
    expect(today.serverDailyStat).toMatchObject({ bytes: 26n, day: "20250310" });
  });

  test("uses the region of the node by default", async () => {
    const stats = [{ serverId: server, bytes: 5n }, { serverId: server, bytes: 6n, nodeRegionId: 3n }];
    await edgehelm.call(as.node(2n), service.uploadServerDailyStats, { stats });
    for (const [nodeRegionId, bytes] of [[6n, 5n], [3n, 6n], [0n, 11n]] as const) {
      const request = { serverId: server, day: "20250310", nodeRegionId };
      expect((await edgehelm.call(admin, service.sumServerDailyStats, request)).serverDailyStat?.bytes).toBe(bytes);
    }
  });

  test("stores 64-bit values exactly", async () => {
    const bytes = 2n ** 50n;
    await upload(...Array.from({ length: 1000 }, () => ({ bytes })));
    const { serverDailyStat } = await edgehelm.call(admin, service.sumServerDailyStats, {
      serverId: server,
      day: "20250310",
    });
    expect(serverDailyStat?.bytes).toBe(bytes * 1000n);
  });

  test("refuses an upload with an invalid value, and drops statistics of servers that do not exist", async () => {
    await expect(upload({ bytes: 5n }, { bytes: -1n })).rejects.toMatchObject({ message: /stats\[1\]\.bytes/ });
    await expect(upload({ createdAt: NOON + 2n * DAY })).rejects.toMatchObject({ message: /stats\[0\]\.createdAt/ });
    await upload({ serverId: 9n, bytes: 5n });
    for (const serverId of [server, 9n]) {
      const { serverDailyStat } = await edgehelm.call(admin, service.sumServerDailyStats, {
        serverId,
        day: "20250310",
      });
      expect(serverDailyStat?.bytes).toBe(0n);
    }
  });
});

describe("charts", () => {
  test("contain every hour, five-minute interval and day, oldest first", async () => {
    await upload({ bytes: 5n }, { bytes: 6n, createdAt: NOON - 3600n }, { bytes: 7n, createdAt: NOON - 3600n * 13n });
    const hourly = await edgehelm.call(admin, service.findLatestServerHourlyStats, { serverId: server, hours: 14 });
    expect(hourly.stats.map(({ hour, bytes }) => [hour, Number(bytes)]).filter(([, bytes]) => bytes !== 0))
      .toEqual([["2025030923", 7], ["2025031011", 6], ["2025031012", 5]]);
    expect(hourly.stats).toHaveLength(14);
    const minutely = await edgehelm.call(admin, service.findLatestServerMinutelyStats, {
      serverId: server,
      minutes: 10,
    });
    expect(minutely.stats.map(({ minute, bytes }) => [minute, bytes])).toEqual([
      ["202503101155", 0n],
      ["202503101200", 5n],
    ]);
    const daily = await edgehelm.call(admin, service.findLatestServerDailyStats, { serverId: server, days: 3 });
    expect(daily.stats.map(({ day, bytes }) => [day, bytes])).toEqual([
      ["20250308", 0n],
      ["20250309", 7n],
      ["20250310", 11n],
    ]);
    const slots = await edgehelm.call(admin, service.findServer5MinutelyStatsWithDay, {
      serverId: server,
      day: "2025-03-10",
      timeFrom: "115900",
    });
    expect(slots.stats).toMatchObject([{ day: "20250310", timeFrom: "120000", timeTo: "120459", bytes: 5n }]);
  });

  test("a user sees only the traffic of the time in which they owned the server", async () => {
    await upload({ bytes: 5n });
    owners.set(server, 8n);
    await upload({ bytes: 9n });
    const between = async (caller: typeof admin, userId = 0n) => {
      const request = { serverId: server, userId, dayFrom: "20250301", dayTo: "20250310" };
      return (await edgehelm.call(caller, service.findServerDailyStatsBetweenDays, request)).stats.map((stat) =>
        stat.bytes
      );
    };
    expect(await between(admin)).toEqual([14n]);
    expect(await between(as.user(7n))).toEqual([5n]);
    expect(await between(as.user(7n), 8n)).toEqual([5n]);
    expect(await between(as.user(55n))).toEqual([]);
  });

  test.each([
    [{ dayFrom: "20250230", dayTo: "20250301" }, "dayFrom"],
    [{ dayFrom: "20250301", dayTo: "20250228" }, "dayTo"],
    [{ dayFrom: "20230101", dayTo: "20250101" }, "dayTo"],
  ])("refuse %o", async (span, field) => {
    const finding = edgehelm.call(admin, service.findServerDailyStatsBetweenDays, { userId: 7n, ...span });
    await expect(finding).rejects.toMatchObject({ code: 400, message: expect.stringContaining(`${field}:`) });
  });
});

describe("the contract", () => {
  test("returns traffic by user, server and region", async () => {
    const call = edgehelm.kernel.systemCall("test");
    owners.set(501n, 51n).set(502n, 52n).set(503n, 53n);
    await upload({ serverId: 501n, bytes: 5n }, { serverId: 502n, bytes: 6n, nodeRegionId: 3n });
    await upload({ serverId: 502n, bytes: 6n, createdAt: NOON - DAY }, { serverId: 503n, bytes: 0n });
    const [from, to] = ["20250301", "20250331"];
    expect(await bills.usersWithTraffic(call, from, to, 50n, 10)).toEqual([51n, 52n]);
    expect(await bills.usersWithTraffic(call, from, to, 51n, 10)).toEqual([52n]);
    expect(await bills.usersWithTraffic(call, "20250309", "20250309", 50n, 10)).toEqual([52n]);
    const traffic = await bills.traffic(call, [51n, 52n], from, to);
    expect(traffic.map((row) => Object.values(row).map(Number).join(" ")).sort()).toEqual([
      "51 501 0 5",
      "52 502 0 6",
      "52 502 3 6",
    ]);
  });

  test("returns the percentile of all bandwidth samples, including empty ones", async () => {
    const call = edgehelm.kernel.systemCall("test");
    owners.set(600n, 60n).set(601n, 60n);
    const start = NOON - NOON % DAY;
    // a day has 288 samples; the 95th percentile excludes the 14 highest
    await upload(
      ...Array.from({ length: 20 }, (_, index) => ({
        serverId: 600n,
        bytes: BigInt(index + 1) * 3000n,
        createdAt: start + BigInt(index) * 300n,
      })),
      { serverId: 601n, bytes: 1_000_000n, createdAt: start },
    );
    const day = "20250310";
    expect(await bills.bandwidth(call, [60n], day, day, 95)).toEqual(new Map([[600n, 60n], [601n, 0n]]));
    expect((await bills.bandwidth(call, [60n], day, day, 100)).get(600n)).toBe(200n);
    await call.transact(async (inner) => {
      expect((await bills.bandwidth(inner, [60n], day, day, 95)).get(600n)).toBe(60n);
    });
  });
});

test("five-minute statistics are deleted after 100 days, daily statistics are kept", async () => {
  const old = NOON - 101n * DAY;
  await upload({ bytes: 5n, createdAt: old }, { bytes: 6n });
  await edgehelm.kernel.runJob("server_daily_stat.remove_old");
  const day = new Date(Number(old) * 1000).toISOString().slice(0, 10);
  const request = { serverId: server, day };
  expect((await edgehelm.call(admin, service.findServer5MinutelyStatsWithDay, request)).stats).toEqual([]);
  expect((await edgehelm.call(admin, service.sumServerDailyStats, request)).serverDailyStat?.bytes).toBe(5n);
  const today = { serverId: server, day: "20250310" };
  expect((await edgehelm.call(admin, service.findServer5MinutelyStatsWithDay, today)).stats).toHaveLength(1);
});
