import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import plugin from "../../../plugins/metric_chart/plugin.ts";
import { MetricChartService } from "../../../plugins/metric_chart/proto/service_metric_chart_pb.ts";
import metricItem from "../../../plugins/metric_item/plugin.ts";
import { MetricItemService } from "../../../plugins/metric_item/proto/service_metric_item_pb.ts";

const rpc = MetricChartService.method;
const admin = as.admin();

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, metricItem] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function createItem(): Promise<bigint> {
  const item = { category: "http", name: "hosts", keys: ["${host}"], period: 1, periodUnit: "day" };
  const request = { ...item, value: "${countRequest}" };
  return (await edgehelm.call(admin, MetricItemService.method.createMetricItem, request)).metricItemId;
}

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

async function find(metricChartId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledMetricChart, { metricChartId })).metricChart;
}

test("an admin creates and updates a chart, and deletes it before its metric", async () => {
  const metricItemId = await createItem();
  const chart = { metricItemId, name: " top ", type: "pie", ignoredKeys: ["localhost"], ignoreEmptyKeys: true };
  const { metricChartId } = await edgehelm.call(admin, rpc.createMetricChart, chart);
  expect(await find(metricChartId)).toMatchObject({
    id: metricChartId,
    name: "top",
    type: "pie",
    widthDiv: 1,
    maxItems: 0,
    isOn: true,
    ignoreEmptyKeys: true,
    ignoredKeys: ["localhost"],
    paramsJSON: bytes({}),
    metricItem: { id: metricItemId },
  });

  const change = { metricChartId, name: "over time", type: "timeLine", widthDiv: 2, maxItems: 50, isOn: true };
  await edgehelm.call(admin, rpc.updateMetricChart, { ...change, paramsJSON: bytes({ unit: "kb" }) });
  await edgehelm.call(admin, rpc.updateMetricChart, { ...change, isOn: false });
  expect(await find(metricChartId)).toMatchObject({
    name: "over time",
    type: "timeLine",
    widthDiv: 2,
    maxItems: 50,
    isOn: false,
    ignoredKeys: [],
    paramsJSON: bytes({ unit: "kb" }),
    metricItem: { id: metricItemId },
  });

  await expect(edgehelm.call(admin, MetricItemService.method.deleteMetricItem, { metricItemId }))
    .rejects.toMatchObject({ code: 409, message: `metric ${metricItemId} is used by chart "over time"` });
  await edgehelm.call(admin, rpc.deleteMetricChart, { metricChartId });
  expect(await find(metricChartId)).toBeUndefined();
  await edgehelm.call(admin, MetricItemService.method.deleteMetricItem, { metricItemId });
});

test("charts are listed newest first and counted, of one metric or of all", async () => {
  const [one, two] = [await createItem(), await createItem()];
  const ids: bigint[] = [];
  for (const metricItemId of [one, two, one]) {
    ids.push(
      (await edgehelm.call(admin, rpc.createMetricChart, { metricItemId, name: "c", type: "bar" })).metricChartId,
    );
  }
  const list = async (request: object) =>
    (await edgehelm.call(admin, rpc.listEnabledMetricCharts, request)).metricCharts.map(({ id }) => id);
  const [a, b, c] = ids;
  expect(await list({ metricItemId: one })).toEqual([c, a]);
  expect(await list({ metricItemId: one, offset: 1n })).toEqual([a]);
  expect(await list({ size: 3n })).toEqual([c, b, a]);
  expect((await edgehelm.call(admin, rpc.countEnabledMetricCharts, { metricItemId: one })).count).toBe(2n);
  const all = await list({ size: 1000n });
  expect((await edgehelm.call(admin, rpc.countEnabledMetricCharts, {})).count).toBe(BigInt(all.length));
});

test.each([
  [{ metricItemId: 0n }, "metricItemId: must be a positive id, got 0"],
  [{ metricItemId: 9999n }, "metricItemId: metric 9999 does not exist"],
  [{ name: "" }, "name: must not be empty"],
  [{ type: "cloud" }, 'type: must be one of pie, bar, timeBar, timeLine, table, got "cloud"'],
  [{ widthDiv: 13 }, "widthDiv: must be 0 to 12, got 13"],
  [{ maxItems: -1 }, "maxItems: must be 0 to 1000, got -1"],
  [{ paramsJSON: bytes([]) }, "paramsJSON: "],
  [{ ignoredKeys: Array.from({ length: 101 }, () => "k") }, "ignoredKeys: must have at most 100 items, got 101"],
])("createMetricChart refuses %o", async (wrong, message) => {
  const request = { metricItemId: await createItem(), name: "chart", type: "pie", ...wrong };
  await expect(edgehelm.call(admin, rpc.createMetricChart, request))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
});

test("changes of a chart that does not exist are refused", async () => {
  const notFound = { code: 404, reason: "metric_chart.not_found", message: "chart 9999 does not exist" };
  const update = { metricChartId: 9999n, name: "chart", type: "pie" };
  await expect(edgehelm.call(admin, rpc.updateMetricChart, update)).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(admin, rpc.deleteMetricChart, { metricChartId: 9999n })).rejects.toMatchObject(notFound);
});
