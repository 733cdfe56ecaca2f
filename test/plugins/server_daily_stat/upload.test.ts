import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import {
  admin,
  bills,
  DAY,
  droppedRows,
  edgehelm,
  foreign,
  leftAt,
  NOON,
  owners,
  server,
  service,
  statKernel,
  upload,
  uploadAs,
  useKernel,
} from "./rig.ts";

useKernel();

const MIDNIGHT = NOON - NOON % DAY;

describe("uploadServerDailyStats", () => {
  test("sums values within and across uploads, by region and day", async () => {
    await upload({ bytes: 5n }, { bytes: 6n }, { bytes: 100n, createdAt: NOON - DAY });
    await uploadAs(admin, { bytes: 7n, nodeRegionId: 2n });
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

  test("uses the region of the calling node, and for admins that in the upload", async () => {
    await uploadAs(as.node(2n), { bytes: 5n }, { bytes: 4n, nodeRegionId: 3n });
    await uploadAs(admin, { bytes: 6n, nodeRegionId: 3n });
    for (const [nodeRegionId, bytes] of [[6n, 9n], [3n, 6n], [0n, 15n]] as const) {
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

const bytesOf = async (serverId: bigint, dayFrom: string, dayTo = "20250311") => {
  const request = { serverId, dayFrom, dayTo };
  return (await edgehelm.call(admin, service.sumServerDailyStats, request)).serverDailyStat?.bytes;
};

describe("an upload of a node", () => {
  test("is stored without the rows of sites that it does not serve, which are counted", async () => {
    owners.set(server + 1000n, 8n);
    foreign.add(server + 1000n);
    const before = await droppedRows();
    await upload({ bytes: 5n }, { serverId: server + 1000n, bytes: 7n }, { serverId: 9n, bytes: 7n });
    expect(await bytesOf(server, "20250310")).toBe(5n);
    expect(await bytesOf(server + 1000n, "20250310")).toBe(0n);
    expect(await droppedRows()).toBe(before + 2);
    await uploadAs(admin, { serverId: server + 1000n, bytes: 7n });
    expect(await bytesOf(server + 1000n, "20250310")).toBe(7n);
  });

  test("is billed to the owner of the site, whatever it says", async () => {
    owners.set(server, 99n);
    await upload({ bytes: 5n, userId: 8n });
    const [traffic] = await edgehelm.kernel.systemCall("test").transact((call) =>
      bills.traffic(call, [8n, 99n], "20250310", "20250310").then((rows) =>
        rows.filter((row) => row.serverId === server)
      )
    );
    expect(traffic).toMatchObject({ userId: 99n, bytes: 5n });
  });

  test("counts only until the site left its cluster", async () => {
    leftAt.set(server, NOON - 3600n);
    await upload({ bytes: 5n, createdAt: NOON - 3600n }, { bytes: 7n, createdAt: NOON - 3599n }, { bytes: 8n });
    expect(await bytesOf(server, "20250310")).toBe(5n);
  });

  test.each([
    [{ createdAt: MIDNIGHT - 3n * DAY }, undefined],
    [{ createdAt: 0n, day: "20250307" }, undefined],
    [{ createdAt: NOON + DAY }, undefined],
    [
      { createdAt: MIDNIGHT - 3n * DAY - 1n },
      "stats[1].createdAt: must be at most 3 days ago, on 2025-03-07 or later, got 1741305599",
    ],
    [
      { createdAt: 0n, day: "20250306" },
      "stats[1].day: must be at most 3 days ago, on 2025-03-07 or later, got 20250306",
    ],
    [{ createdAt: NOON + DAY + 1n }, "stats[1].createdAt: must not be in the future, got 1741694521"],
  ])("%o: %s", async (stat, message) => {
    const uploaded = upload({ bytes: 5n }, { bytes: 7n, ...stat });
    if (message === undefined) await uploaded;
    else await expect(uploaded).rejects.toMatchObject({ code: 400, message });
    expect(await bytesOf(server, "20250301")).toBe(message === undefined ? 12n : 0n);
    await uploadAs(admin, { bytes: 9n, createdAt: MIDNIGHT - 9n * DAY });
    expect(await bytesOf(server, "20250301", "20250301")).toBe(9n);
  });
});

test("the number of past days is a setting", async () => {
  for (const [pastDays, code] of [[0, 400], [1, 200]] as const) {
    await using own = await statKernel({ pastDays });
    owners.set(server, 7n);
    const stats = [{ serverId: server, bytes: 5n, createdAt: MIDNIGHT - 1n }];
    const upload = own.call(as.node(1n), service.uploadServerDailyStats, { stats });
    await expect(upload.then(() => 200, (error) => error.code)).resolves.toBe(code);
  }
});
