import {
  type Call,
  choiceField,
  distinct,
  type Handlers,
  idField,
  jsonField,
  listField,
  numberField,
  pageOf,
  textField,
} from "edgehelm";
import { countRows, deleteRow, rowMessage } from "edgehelm/rows";
import { MetricChartSchema } from "edgehelm/proto/models/metric_chart_pb.js";
import type { MetricItems } from "../metric_item/contract.ts";
import type {
  CreateMetricChartRequest,
  MetricChartService,
  UpdateMetricChartRequest,
} from "./proto/service_metric_chart_pb.ts";
import { MetricChartParamsSchema } from "./proto/shapes_pb.ts";
import type { MetricChartRow, MetricChartStore } from "./store.ts";

const TYPES = ["pie", "bar", "timeBar", "timeLine", "table"] as const;
const NO_PARAMS = new TextEncoder().encode("{}");

const chartMessage = rowMessage(MetricChartSchema, [
  "id",
  "name",
  "type",
  "widthDiv",
  "paramsJSON",
  "isOn",
  "maxItems",
  "ignoreEmptyKeys",
], (row: MetricChartRow) => ({
  ignoredKeys: JSON.parse(row.ignoredKeys) as string[],
}));

export function metricChartHandlers(
  charts: MetricChartStore,
  items: MetricItems,
): Handlers<typeof MetricChartService> {
  async function chartMessages(call: Call, rows: readonly MetricChartRow[]) {
    const itemOf = await items.byIds(call, distinct(rows.map(({ metricItemId }) => metricItemId)));
    return rows.map((row) => {
      return { ...chartMessage(row), metricItem: itemOf.get(row.metricItemId) ?? { id: row.metricItemId } };
    });
  }

  return {
    async createMetricChart(request, call) {
      const metricItemId = idField("metricItemId", request.metricItemId);
      await items.requireItem(call, "metricItemId", metricItemId);
      const paramsJSON = paramsField(request.paramsJSON) ?? NO_PARAMS;
      const { id } = await charts.insert.one(call, { metricItemId, ...chartFields(request), paramsJSON });
      return { metricChartId: id };
    },

    async updateMetricChart(request, call) {
      const { id, paramsJSON } = await charts.require(call, "metricChartId", request.metricChartId);
      const settings = { ...chartFields(request), paramsJSON: paramsField(request.paramsJSON) ?? paramsJSON };
      await charts.update.run(call, { id, ...settings, isOn: request.isOn });
      return {};
    },

    deleteMetricChart: deleteRow(charts, "metricChartId"),
    async findEnabledMetricChart({ metricChartId }, call) {
      const [metricChart] = await chartMessages(call, await charts.byId.all(call, { id: metricChartId }));
      return { metricChart };
    },
    countEnabledMetricCharts: countRows(charts.list),
    async listEnabledMetricCharts(request, call) {
      const rows = await charts.list.page(call, request, pageOf(request));
      return { metricCharts: await chartMessages(call, rows) };
    },
  };
}

/** Checks the parameters. Returns null for empty bytes. */
function paramsField(bytes: Uint8Array): Uint8Array | null {
  return jsonField("paramsJSON", bytes, MetricChartParamsSchema) && bytes || null;
}

function chartFields(request: CreateMetricChartRequest | UpdateMetricChartRequest) {
  return {
    name: textField("name", request.name, { min: 1 }),
    type: choiceField("type", request.type, TYPES),
    widthDiv: numberField("widthDiv", request.widthDiv, { max: 12 }) || 1,
    maxItems: numberField("maxItems", request.maxItems, { max: 1000 }),
    ignoreEmptyKeys: request.ignoreEmptyKeys,
    ignoredKeys: JSON.stringify(listField("ignoredKeys", request.ignoredKeys, textField, { max: 100 })),
  };
}
