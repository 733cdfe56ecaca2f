import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, edgehelm, NOON, owners, server, service, upload, useKernel } from "./rig.ts";

useKernel();

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
