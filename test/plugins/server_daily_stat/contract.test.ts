import { describe, expect, test } from "vitest";
import { admin, bills, DAY, edgehelm, NOON, owners, upload, uploadAs, useKernel } from "./rig.ts";

useKernel();

describe("the contract", () => {
  test("returns traffic by user, server and region", async () => {
    const call = edgehelm.kernel.systemCall("test");
    owners.set(501n, 51n).set(502n, 52n).set(503n, 53n);
    await uploadAs(admin, { serverId: 501n, bytes: 5n }, { serverId: 502n, bytes: 6n, nodeRegionId: 3n });
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
