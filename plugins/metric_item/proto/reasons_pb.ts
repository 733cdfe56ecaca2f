// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/MetricItemService/countAllEnabledMetricItems": ["kernel.invalid_field","metric_item.not_found"],
  "/MetricItemService/createMetricItem": ["kernel.invalid_field","metric_item.code_taken","metric_item.not_found"],
  "/MetricItemService/deleteMetricItem": ["kernel.invalid_field","metric_item.in_use","metric_item.not_found"],
  "/MetricItemService/findEnabledMetricItem": ["kernel.invalid_field","metric_item.not_found"],
  "/MetricItemService/listEnabledMetricItems": ["kernel.invalid_field","metric_item.not_found"],
  "/MetricItemService/updateMetricItem": ["kernel.invalid_field","metric_item.not_found"],
};
