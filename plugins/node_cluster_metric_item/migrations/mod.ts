import * as createNodeClusterMetricItems from "./0001_create_node_cluster_metric_items.ts";

export const migrations = {
  "0001_create_node_cluster_metric_items": createNodeClusterMetricItems,
};
