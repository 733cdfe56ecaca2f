import * as createMetricCharts from "./0001_create_metric_charts.ts";

export const migrations = {
  "0001_create_metric_charts": createMetricCharts,
};
