import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import plugin from "../../../plugins/traffic_package/plugin.ts";
import { TrafficPackageService } from "../../../plugins/traffic_package/proto/service_traffic_package_pb.ts";

const {
  createTrafficPackage,
  deleteTrafficPackage,
  findAllAvailableTrafficPackages,
  findAllTrafficPackages,
  findTrafficPackage,
  updateTrafficPackage,
} = TrafficPackageService.method;
const admin = as.admin();

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

test.each(["http", "connect", "grpcweb"] as const)("an admin manages packages over %s", async (wire) => {
  const { trafficPackageId: large } = await edgehelm.call(admin, createTrafficPackage, { size: 1, unit: "pb" }, wire);
  const { trafficPackageId: small } = await edgehelm.call(admin, createTrafficPackage, { size: 5, unit: "gb" }, wire);
  const { trafficPackage } = await edgehelm.call(admin, findTrafficPackage, { trafficPackageId: small }, wire);
  expect(trafficPackage).toMatchObject({ id: small, size: 5, unit: "gb", bytes: 5n * 1024n ** 3n, isOn: true });

  await edgehelm.call(admin, updateTrafficPackage, { trafficPackageId: small, isOn: false }, wire);
  const all = await edgehelm.call(admin, findAllTrafficPackages, {}, wire);
  expect(all.trafficPackages.map(({ id, isOn }) => [id, isOn])).toEqual([[small, false], [large, true]]);
  const available = await edgehelm.call(admin, findAllAvailableTrafficPackages, {}, wire);
  expect(available.trafficPackages.map(({ id }) => id)).toEqual([large]);

  for (const trafficPackageId of [small, large]) {
    await edgehelm.call(admin, deleteTrafficPackage, { trafficPackageId }, wire);
  }
  const deleted = { trafficPackageId: small };
  expect(await edgehelm.call(admin, findTrafficPackage, deleted, wire)).not.toHaveProperty("trafficPackage");
  await expect(edgehelm.call(admin, deleteTrafficPackage, deleted, wire))
    .rejects.toMatchObject({ code: 404, reason: "traffic_package.not_found" });
});

test("sizes are unique across units", async () => {
  await edgehelm.call(admin, createTrafficPackage, { size: 1024, unit: "gb" });
  await expect(edgehelm.call(admin, createTrafficPackage, { size: 1, unit: "tb" }))
    .rejects.toMatchObject({ code: 409, message: "a traffic package of 1 tb already exists" });
});

test.each([
  [{ size: 0, unit: "gb" }, "size: must be positive, got 0"],
  [{ size: 1, unit: "kb" }, 'unit: must be one of gb, tb, pb, got "kb"'],
  [{ size: 2, unit: "pb" }, "size: must be at most 1 pb, got 2 pb"],
])("createTrafficPackage refuses %o", async (request, message) => {
  await expect(edgehelm.call(admin, createTrafficPackage, request)).rejects.toMatchObject({ code: 400, message });
});
