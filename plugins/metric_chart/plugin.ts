import { definePlugin, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { MetricItems, MetricItemUses } from "../metric_item/contract.ts";
import { errors } from "./errors.ts";
import { metricChartHandlers } from "./handlers.ts";
import * as createMetricCharts from "./migrations/0001_create_metric_charts.ts";
import manifest from "./plugin.json" with { type: "json" };
import { MetricChartService } from "./proto/service_metric_chart_pb.ts";
import { metricChartStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_metric_charts": createMetricCharts },
  requires: { items: MetricItems },
  setup({ db, deps: { items }, serve, contribute }) {
    const charts = metricChartStore(db<Tables>());
    serve(MetricChartService, metricChartHandlers(charts, items));
    contribute(MetricItemUses, usedBy(charts.someOfItem, ({ name }) => `chart "${name}"`));
  },
});
export default plugin;
