// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NodeClusterMetricItemService/disableNodeClusterMetricItem": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterMetricItemService/enableNodeClusterMetricItem": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterMetricItemService/existsNodeClusterMetricItem": ["kernel.invalid_field"],
  "/NodeClusterMetricItemService/findAllNodeClusterMetricItems": ["kernel.invalid_field"],
  "/NodeClusterMetricItemService/findAllNodeClustersWithMetricItemId": ["kernel.invalid_field","node_cluster.not_found"],
};
