import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import plugin from "../../../plugins/traffic_package_period/plugin.ts";
import { TrafficPackagePeriodService } from "../../../plugins/traffic_package_period/proto/service_traffic_package_period_pb.ts";

const {
  createTrafficPackagePeriod,
  deleteTrafficPackagePeriod,
  findAllAvailableTrafficPackagePeriods,
  findAllTrafficPackagePeriods,
  findTrafficPackagePeriod,
  updateTrafficPackagePeriod,
} = TrafficPackagePeriodService.method;
const admin = as.admin();

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

test.each(["http", "connect", "grpcweb"] as const)("an admin manages periods over %s", async (wire) => {
  const create = async (count: number, unit: string) =>
    (await edgehelm.call(admin, createTrafficPackagePeriod, { count, unit }, wire)).trafficPackagePeriodId;
  const [year, month] = [await create(1, "year"), await create(1, "month")];
  const found = await edgehelm.call(admin, findTrafficPackagePeriod, { trafficPackagePeriodId: year }, wire);
  expect(found.trafficPackagePeriod).toMatchObject({ id: year, count: 1, unit: "year", months: 12, isOn: true });

  await edgehelm.call(admin, updateTrafficPackagePeriod, { trafficPackagePeriodId: month, isOn: false }, wire);
  const all = await edgehelm.call(admin, findAllTrafficPackagePeriods, {}, wire);
  expect(all.trafficPackagePeriods.map(({ id, isOn }) => [id, isOn])).toEqual([[month, false], [year, true]]);
  const available = await edgehelm.call(admin, findAllAvailableTrafficPackagePeriods, {}, wire);
  expect(available.trafficPackagePeriods.map(({ id }) => id)).toEqual([year]);

  for (const trafficPackagePeriodId of [month, year]) {
    await edgehelm.call(admin, deleteTrafficPackagePeriod, { trafficPackagePeriodId }, wire);
  }
  await expect(edgehelm.call(admin, updateTrafficPackagePeriod, { trafficPackagePeriodId: year, isOn: true }, wire))
    .rejects.toMatchObject({ code: 404, reason: "traffic_package_period.not_found" });
});

test("lengths are unique across units", async () => {
  await edgehelm.call(admin, createTrafficPackagePeriod, { count: 24, unit: "month" });
  await expect(edgehelm.call(admin, createTrafficPackagePeriod, { count: 2, unit: "year" }))
    .rejects.toMatchObject({ code: 409, message: "a period of 2 year already exists" });
});

test.each([
  [{ count: -1, unit: "month" }, "count: must be positive, got -1"],
  [{ count: 1, unit: "day" }, 'unit: must be one of month, year, got "day"'],
  [{ count: 11, unit: "year" }, "count: must be at most 120 months, got 132"],
])("createTrafficPackagePeriod refuses %o", async (request, message) => {
  await expect(edgehelm.call(admin, createTrafficPackagePeriod, request)).rejects.toMatchObject({ code: 400, message });
});
