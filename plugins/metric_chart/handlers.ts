import { choiceField, type Handlers, idField, jsonField, listField, numberField, pageOf, textField } from "edgehelm";
import { findRow } from "edgehelm/rows";
import type { MetricItems } from "../metric_item/contract.ts";
import { errors } from "./errors.ts";
import type {
  CreateMetricChartRequest,
  MetricChartService,
  UpdateMetricChartRequest,
} from "./proto/service_metric_chart_pb.ts";
import { MetricChartParamsSchema } from "./proto/shapes_pb.ts";
import type { MetricChartFields, MetricChartRow, MetricChartStore } from "./store.ts";

const TYPES = ["pie", "bar", "timeBar", "timeLine", "table"] as const;
const NO_PARAMS = new TextEncoder().encode("{}");

export function metricChartHandlers(
  charts: MetricChartStore,
  items: MetricItems,
): Handlers<typeof MetricChartService> {
  return {
    async createMetricChart(request, call) {
      const metricItemId = idField("metricItemId", request.metricItemId);
      await items.requireItem(call, "metricItemId", metricItemId);
      const paramsJSON = paramsField(request.paramsJSON) ?? NO_PARAMS;
      const { id } = await charts.insert.one(call, { metricItemId, ...chartFields(request), paramsJSON });
      return { metricChartId: id };
    },

    async updateMetricChart(request, call) {
      const id = idField("metricChartId", request.metricChartId);
      const paramsJSON = paramsField(request.paramsJSON);
      const changes = await charts.update.run(call, { id, ...chartFields(request), isOn: request.isOn, paramsJSON });
      if (changes === 0n) throw errors.not_found(id);
      return {};
    },

    async deleteMetricChart({ metricChartId }, call) {
      const id = idField("metricChartId", metricChartId);
      if (await charts.remove.run(call, { id }) === 0n) throw errors.not_found(id);
      return {};
    },

    findEnabledMetricChart: findRow(charts, "metricChartId", "metricChart", chartMessage),

    countEnabledMetricCharts: ({ metricItemId }, call) =>
      metricItemId === 0n ? charts.count.one(call, {}) : charts.countOfItem.one(call, { metricItemId }),

    async listEnabledMetricCharts(request, call) {
      const page = pageOf(request);
      const { metricItemId } = request;
      const rows =
        await (metricItemId === 0n
          ? charts.page.all(call, page)
          : charts.pageOfItem.all(call, { ...page, metricItemId }));
      return { metricCharts: rows.map(chartMessage) };
    },
  };
}

/** Checks the parameters. Returns null for empty bytes. */
function paramsField(bytes: Uint8Array): Uint8Array | null {
  return jsonField("paramsJSON", bytes, MetricChartParamsSchema) && bytes || null;
}

function chartFields(request: CreateMetricChartRequest | UpdateMetricChartRequest): MetricChartFields {
  return {
    name: textField("name", request.name, { min: 1 }),
    type: choiceField("type", request.type, TYPES),
    widthDiv: numberField("widthDiv", request.widthDiv, { max: 12 }) || 1,
    maxItems: numberField("maxItems", request.maxItems, { max: 1000 }),
    ignoreEmptyKeys: request.ignoreEmptyKeys,
    ignoredKeys: JSON.stringify(listField("ignoredKeys", request.ignoredKeys, textField, { max: 100 })),
  };
}

function chartMessage(row: MetricChartRow) {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    widthDiv: Number(row.widthDiv),
    paramsJSON: row.paramsJSON,
    isOn: row.isOn === 1n,
    maxItems: Number(row.maxItems),
    ignoreEmptyKeys: row.ignoreEmptyKeys === 1n,
    ignoredKeys: JSON.parse(row.ignoredKeys) as string[],
    metricItem: { id: row.metricItemId },
  };
}
