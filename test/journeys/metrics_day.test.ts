import { expect, test } from "vitest";
import { json, openDay } from "./day_rig.ts";

test("Metrics: the metrics that edge nodes count, and their charts", async () => {
  await using day = await openDay();
  const { admin } = day;
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const node = await day.edgeNode("fra-1", nodeClusterId);
  await node.pollConfig();

  // The admin creates a metric of requests by path; an invalid one is refused.
  const item = {
    ...{ code: "paths", category: "http", name: "paths", keys: ["${requestPath}"], period: 1, periodUnit: "day" },
    value: "${countRequest}",
  };
  const create = "MetricItemService/createMetricItem";
  expect(await admin.error(create, { ...item, category: "tcp" })).toMatchObject({ code: 400 });
  const { metricItemId } = await admin.post(create, item);
  const countedCodes = async () => (await node.config()).metricItems.map(({ code }: { code: string }) => code);
  expect([await node.pollConfig(), await countedCodes()]).toEqual([false, []]);

  // The metric is enabled for the cluster, twice, and its nodes count it.
  const pair = { nodeClusterId, metricItemId };
  const service = "NodeClusterMetricItemService";
  for (let times = 0; times < 2; times++) await admin.post(`${service}/enableNodeClusterMetricItem`, pair);
  expect([await node.pollConfig(), await countedCodes()]).toEqual([true, ["paths"]]);
  expect((await admin.post(`${service}/existsNodeClusterMetricItem`, pair)).exists).toBe(true);
  expect((await admin.post(`${service}/findAllNodeClusterMetricItems`, { nodeClusterId })).metricItems)
    .toMatchObject([{ id: metricItemId, code: "paths" }]);
  expect((await admin.post(`${service}/findAllNodeClustersWithMetricItemId`, { metricItemId })).nodeClusters)
    .toMatchObject([{ id: nodeClusterId, name: "Frankfurt" }]);

  // Two charts display the metric.
  const chart = { metricItemId, name: "top paths", type: "bar", widthDiv: 2, maxItems: 10 };
  const { metricChartId } = await admin.post("MetricChartService/createMetricChart", chart);
  expect(await admin.error("MetricChartService/createMetricChart", { ...chart, type: "globe" }))
    .toMatchObject({ code: 400 });
  const second = await admin.post("MetricChartService/createMetricChart", { ...chart, name: "share", type: "pie" });
  const update = { metricChartId, name: "paths", type: "table", widthDiv: 1, maxItems: 50, isOn: true };
  await admin.post("MetricChartService/updateMetricChart", { ...update, ignoredKeys: ["/favicon.ico"] });
  const { metricChart } = await admin.post("MetricChartService/findEnabledMetricChart", { metricChartId });
  expect(metricChart).toMatchObject({ name: "paths", type: "table", maxItems: 50, metricItem: { id: metricItemId } });
  expect(json(metricChart.paramsJSON)).toEqual({});
  const { metricCharts } = await admin.post("MetricChartService/listEnabledMetricCharts", { metricItemId, size: 10 });
  expect(metricCharts.map(({ name }: { name: string }) => name)).toEqual(["share", "paths"]);
  expect((await admin.post("MetricChartService/countEnabledMetricCharts", { metricItemId })).count).toBe(2);

  // The charts must be deleted before the metric.
  const remove = "MetricItemService/deleteMetricItem";
  expect(await admin.error(remove, { metricItemId })).toMatchObject({ code: 409 });
  for (const chartId of [{ metricChartId }, second]) await admin.post("MetricChartService/deleteMetricChart", chartId);
  expect(await admin.error(remove, { metricItemId }))
    .toMatchObject({ message: `metric ${metricItemId} is used by node cluster "Frankfurt"` });
  await admin.post(`${service}/disableNodeClusterMetricItem`, pair);
  expect([await node.pollConfig(), await countedCodes()]).toEqual([true, []]);
  expect((await admin.post(`${service}/findAllNodeClustersWithMetricItemId`, { metricItemId })).nodeClusters)
    .toEqual([]);
  await admin.post(remove, { metricItemId });
});
