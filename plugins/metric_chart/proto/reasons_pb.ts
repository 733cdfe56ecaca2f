// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/MetricChartService/countEnabledMetricCharts": ["kernel.invalid_field","metric_chart.not_found"],
  "/MetricChartService/createMetricChart": ["kernel.invalid_field","metric_chart.not_found"],
  "/MetricChartService/deleteMetricChart": ["kernel.invalid_field","metric_chart.not_found"],
  "/MetricChartService/findEnabledMetricChart": ["kernel.invalid_field","metric_chart.not_found"],
  "/MetricChartService/listEnabledMetricCharts": ["kernel.invalid_field","metric_chart.not_found"],
  "/MetricChartService/updateMetricChart": ["kernel.invalid_field","metric_chart.not_found"],
};
