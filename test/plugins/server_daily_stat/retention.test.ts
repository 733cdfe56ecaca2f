import { expect, test } from "vitest";
import { admin, DAY, edgehelm, NOON, server, service, uploadAs, useKernel } from "./rig.ts";

useKernel();

test("five-minute statistics are deleted after 100 days, daily statistics are kept", async () => {
  const old = NOON - 101n * DAY;
  await uploadAs(admin, { bytes: 5n, createdAt: old }, { bytes: 6n });
  await edgehelm.kernel.runJob("server_daily_stat.remove_old");
  const day = new Date(Number(old) * 1000).toISOString().slice(0, 10);
  const request = { serverId: server, day };
  expect((await edgehelm.call(admin, service.findServer5MinutelyStatsWithDay, request)).stats).toEqual([]);
  expect((await edgehelm.call(admin, service.sumServerDailyStats, request)).serverDailyStat?.bytes).toBe(5n);
  const today = { serverId: server, day: "20250310" };
  expect((await edgehelm.call(admin, service.findServer5MinutelyStatsWithDay, today)).stats).toHaveLength(1);
});
