import { definePlugin } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MetricItemListeners, MetricItems, MetricItemUses } from "../../../plugins/metric_item/contract.ts";
import plugin from "../../../plugins/metric_item/plugin.ts";
import { MetricItemService } from "../../../plugins/metric_item/proto/service_metric_item_pb.ts";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";

const rpc = MetricItemService.method;
const admin = as.admin();
const usedBy = new Map<bigint, string[]>();
let notified: (bigint | "everywhere")[] = [];
let items: MetricItems;

const probe = definePlugin({
  manifest: {
    name: "probe",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["metric_item.listeners", "metric_item.uses"],
  },
  requires: { items: MetricItems },
  setup({ deps, contribute }) {
    items = deps.items;
    contribute(MetricItemUses, { referencesTo: async (_call, id, limit) => (usedBy.get(id) ?? []).slice(0, limit) });
    contribute(MetricItemListeners, { changed: async (_call, id) => void notified.push(id) });
  },
});
const clusters = stub(NodeClusters, { configChangedEverywhere: async () => void notified.push("everywhere") });

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, probe], stubs: [clusters] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const requests = {
  category: "http",
  name: "requests",
  keys: ["${remoteAddr}"],
  period: 1,
  periodUnit: "hour",
  value: "${countRequest}",
};

async function create(item: object = {}): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createMetricItem, { ...requests, ...item })).metricItemId;
}

async function find(metricItemId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledMetricItem, { metricItemId })).metricItem;
}

test("a metric is created, updated and deleted, and each change is notified", async () => {
  notified = [];
  const id = await create({ keys: ["${status}", "${header.X-Country}"], code: "by_country", expiresPeriod: 30 });
  const item = { id, isOn: true, code: "by_country", category: "http", expiresPeriod: 30, isPublic: false };
  expect(await find(id)).toMatchObject({ ...item, keys: ["${header.X-Country}", "${status}"] });

  const change = { ...requests, metricItemId: id, name: "traffic", value: "${countTrafficOut}", isOn: true };
  await edgehelm.call(admin, rpc.updateMetricItem, { ...change, isPublic: true });
  expect(await find(id)).toMatchObject({ name: "traffic", value: "${countTrafficOut}", code: "by_country" });
  const call = edgehelm.kernel.systemCall("test");
  expect((await items.publicItems(call)).map((item) => item.id)).toEqual([id]);
  await edgehelm.call(admin, rpc.updateMetricItem, { ...change, isOn: false });
  expect(await items.publicItems(call)).toEqual([]);

  usedBy.set(id, ['chart "top"']);
  await expect(edgehelm.call(admin, rpc.deleteMetricItem, { metricItemId: id }))
    .rejects.toMatchObject({ code: 409, message: `metric ${id} is used by chart "top"` });
  usedBy.delete(id);
  await edgehelm.call(admin, rpc.deleteMetricItem, { metricItemId: id });
  expect(await find(id)).toBeUndefined();
  expect(notified).toEqual([id, "everywhere", "everywhere", id]);
});

test("a code belongs to one metric that is not deleted, and may be empty", async () => {
  const metricItemId = await create({ code: "once" });
  await expect(create({ code: "once" })).rejects.toMatchObject({ code: 409, reason: "metric_item.code_taken" });
  await edgehelm.call(admin, rpc.deleteMetricItem, { metricItemId });
  await create({ code: "once" });
  await create();
  await create();
});

test.each([
  [{ category: "dns" }, 'category: must be one of http, tcp, udp, got "dns"'],
  [{ name: "" }, "name: must not be empty"],
  [{ keys: [] }, "keys: must not be empty"],
  [{ keys: ["remoteAddr"] }, "keys[0]: must be one of the variables"],
  [{ keys: ["${arg.}"] }, "keys[0]: must be one of the variables"],
  [{ keys: ["${host}", "${host}"] }, 'keys[1]: "${host}" is listed twice'],
  [{ period: 0 }, "period: must be 1 to 100000, got 0"],
  [{ periodUnit: "year" }, "periodUnit: must be one of"],
  [{ expiresPeriod: -1 }, "expiresPeriod: must be 0 to 100000, got -1"],
  [{ value: "${count}" }, "value: must be one of"],
  [{ category: "tcp" }, "value: must be one of ${countConnection}, ${countTrafficOut}, ${countTrafficIn}, got"],
])("createMetricItem refuses %j", async (wrong, message) => {
  await expect(create(wrong)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
});

test("lists are newest first, and filtered by category", async () => {
  await using fresh = await testKernel({ plugins: [plugin] });
  for (const [name, category] of [["a", "http"], ["b", "tcp"], ["c", "http"]]) {
    await fresh.call(admin, rpc.createMetricItem, {
      ...requests,
      name: name!,
      category: category!,
      value: "${countTrafficIn}",
    });
  }
  const names = async (request: object) =>
    (await fresh.call(admin, rpc.listEnabledMetricItems, request)).metricItems.map(({ name }) => name);
  expect(await names({})).toEqual(["c", "b", "a"]);
  expect(await names({ category: "http", offset: 1n })).toEqual(["a"]);
  expect((await fresh.call(admin, rpc.countAllEnabledMetricItems, { category: "http" })).count).toBe(2n);
  expect((await fresh.call(admin, rpc.countAllEnabledMetricItems, {})).count).toBe(3n);
  await expect(names({ category: "dns" })).rejects.toMatchObject({ code: 400 });
});

test("changes of a metric that does not exist are refused", async () => {
  const notFound = { code: 404, reason: "metric_item.not_found" };
  await expect(edgehelm.call(admin, rpc.updateMetricItem, { ...requests, metricItemId: 9999n }))
    .rejects.toMatchObject(notFound);
  await expect(edgehelm.call(admin, rpc.deleteMetricItem, { metricItemId: 9999n })).rejects.toMatchObject(notFound);
  const call = edgehelm.kernel.systemCall("test");
  await expect(items.requireItem(call, "metricItemId", 9999n))
    .rejects.toMatchObject({ message: "metricItemId: metric 9999 does not exist" });
  expect((await items.byIds(call, [9999n])).size).toBe(0);
});
