import * as createMetricItems from "./0001_create_metric_items.ts";

export const migrations = {
  "0001_create_metric_items": createMetricItems,
};
