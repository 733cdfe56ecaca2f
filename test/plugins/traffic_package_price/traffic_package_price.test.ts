import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import regions from "../../../plugins/node_region/plugin.ts";
import { NodeRegionService } from "../../../plugins/node_region/proto/service_node_region_pb.ts";
import packages from "../../../plugins/traffic_package/plugin.ts";
import { TrafficPackageService } from "../../../plugins/traffic_package/proto/service_traffic_package_pb.ts";
import periods from "../../../plugins/traffic_package_period/plugin.ts";
import { TrafficPackagePeriodService } from "../../../plugins/traffic_package_period/proto/service_traffic_package_period_pb.ts";
import plugin from "../../../plugins/traffic_package_price/plugin.ts";
import { TrafficPackagePriceService } from "../../../plugins/traffic_package_price/proto/service_traffic_package_price_pb.ts";

const {
  countTrafficPackagePrices,
  findAllTrafficPackagePrices,
  findTrafficPackagePrice,
  findTrafficPackagePrices,
  updateTrafficPackagePrice,
} = TrafficPackagePriceService.method;
const admin = as.admin();

let edgehelm: TestKernel;
let key: { trafficPackageId: bigint; nodeRegionId: bigint; trafficPackagePeriodId: bigint };
let size = 0;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, regions, packages, periods] });
  const { nodeRegionId } = await edgehelm.call(admin, NodeRegionService.method.createNodeRegion, { name: "Oslo" });
  const { createTrafficPackagePeriod } = TrafficPackagePeriodService.method;
  const { trafficPackagePeriodId } = await edgehelm.call(admin, createTrafficPackagePeriod, {
    count: 3,
    unit: "month",
  });
  key = { nodeRegionId, trafficPackagePeriodId, trafficPackageId: await createPackage() };
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function createPackage(): Promise<bigint> {
  const request = { size: ++size, unit: "gb" };
  return (await edgehelm.call(admin, TrafficPackageService.method.createTrafficPackage, request)).trafficPackageId;
}

test.each(["http", "connect", "grpcweb"] as const)("a price is set, changed and deleted over %s", async (wire) => {
  const own = { ...key, trafficPackageId: await createPackage() };
  const count = async () => (await edgehelm.call(admin, countTrafficPackagePrices, own, wire)).count;
  expect(await edgehelm.call(admin, findTrafficPackagePrice, own, wire)).toMatchObject({ price: 0, amount: 0 });

  for (const price of [9.99, 0.1]) await edgehelm.call(admin, updateTrafficPackagePrice, { ...own, price }, wire);
  expect(await count()).toBe(1n);
  // 3 * 0.1 is exact, unlike with binary fractions
  expect(await edgehelm.call(admin, findTrafficPackagePrice, { ...own, count: 3 }, wire))
    .toMatchObject({ price: 0.1, amount: 0.3 });
  const { trafficPackagePrices } = await edgehelm.call(admin, findTrafficPackagePrices, own, wire);
  expect(trafficPackagePrices).toMatchObject([{ ...own, price: 0.1 }]);
  const all = await edgehelm.call(admin, findAllTrafficPackagePrices, {}, wire);
  expect(all.trafficPackagePrices).toContainEqual(expect.objectContaining(own));

  await edgehelm.call(admin, updateTrafficPackagePrice, { ...own, price: 0 }, wire);
  expect(await count()).toBe(0n);
});

describe("updateTrafficPackagePrice refuses", () => {
  test.each([
    [{ trafficPackageId: 999n }, "trafficPackageId: traffic package 999 does not exist"],
    [{ nodeRegionId: 0n }, "nodeRegionId: must be a positive id, got 0"],
    [{ nodeRegionId: 999n }, "nodeRegionId: region 999 does not exist"],
    [{ trafficPackagePeriodId: 999n }, "trafficPackagePeriodId: period 999 does not exist"],
    [{ price: 1.005 }, "price: must have at most 2 decimals, got 1.005"],
  ])("%o", async (wrong, message) => {
    await expect(edgehelm.call(admin, updateTrafficPackagePrice, { ...key, price: 1, ...wrong }))
      .rejects.toMatchObject({ code: 400, message });
  });
});

test("packages, periods and regions with prices cannot be deleted", async () => {
  const own = { ...key, trafficPackageId: await createPackage() };
  await edgehelm.call(admin, updateTrafficPackagePrice, { ...own, price: 5 });
  const name = `the price of ${size} gb for 3 month in "Oslo"`;
  const inUse = (message: string) => ({ code: 409, message: expect.stringContaining(message) });
  const { deleteTrafficPackage } = TrafficPackageService.method;
  await expect(edgehelm.call(admin, deleteTrafficPackage, own)).rejects.toMatchObject(inUse(`used by ${name}`));
  await expect(edgehelm.call(admin, TrafficPackagePeriodService.method.deleteTrafficPackagePeriod, own))
    .rejects.toMatchObject(inUse(name));
  await expect(edgehelm.call(admin, NodeRegionService.method.deleteNodeRegion, own))
    .rejects.toMatchObject(inUse(name));
  await edgehelm.call(admin, updateTrafficPackagePrice, { ...own, price: 0 });
  await edgehelm.call(admin, deleteTrafficPackage, own);
});
