import { as, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import admins from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import plugin from "../../../plugins/server_daily_stat/plugin.ts";
import { clock, DAY, NOON, owners, service, stubs } from "./rig.ts";

test("the dashboard of admins has the traffic of all sites by day and by hour", async () => {
  await using edgehelm = await testKernel({ plugins: [admins, plugin], stubs: stubs(), clock });
  const [one, two] = [...owners.keys()];
  const stat = (serverId: bigint, ago: bigint, bytes: bigint) => ({
    ...{ serverId, bytes, cachedBytes: 1n, countRequests: 2n, countAttackRequests: 1n },
    createdAt: NOON - ago,
  });
  await edgehelm.call(as.admin(), service.uploadServerDailyStats, { stats: [stat(one!, 0n, 5n), stat(two!, 60n, 7n)] });
  await edgehelm.call(as.admin(), service.uploadServerDailyStats, {
    stats: [stat(one!, DAY, 11n), stat(one!, 0n, 1n)],
  });
  const { dailyTrafficStats, hourlyTrafficStats } = await edgehelm.call(
    as.admin(),
    AdminService.method.composeAdminDashboard,
    {},
  );
  expect([dailyTrafficStats.length, hourlyTrafficStats.length]).toEqual([15, 24]);
  expect(dailyTrafficStats.slice(-2)).toMatchObject([
    { day: "20250309", bytes: 11n, countRequests: 2n, countAttackRequests: 1n },
    { day: "20250310", bytes: 13n, cachedBytes: 3n, countRequests: 6n, countAttackRequests: 3n },
  ]);
  expect(hourlyTrafficStats.at(-1)).toMatchObject({ hour: "2025031012", bytes: 13n });
  expect(hourlyTrafficStats[0]).toMatchObject({ hour: "2025030913", bytes: 0n });
});
