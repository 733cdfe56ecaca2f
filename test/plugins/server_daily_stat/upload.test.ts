import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, DAY, edgehelm, NOON, server, service, upload, useKernel } from "./rig.ts";

useKernel();

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
