// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.DisableNodeClusterMetricItemRequest": "The metric to disable and its cluster.",
  "pb.DisableNodeClusterMetricItemRequest.metricItemId": "The id of the metric that is meant.",
  "pb.DisableNodeClusterMetricItemRequest.nodeClusterId": "The id of the cluster that is meant.",
  "pb.EnableNodeClusterMetricItemRequest": "The metric to enable and its cluster.",
  "pb.EnableNodeClusterMetricItemRequest.metricItemId": "The id of the metric that is meant.",
  "pb.EnableNodeClusterMetricItemRequest.nodeClusterId": "The id of the cluster that is meant.",
  "pb.ExistsNodeClusterMetricItemRequest": "The metric and the cluster to check.",
  "pb.ExistsNodeClusterMetricItemRequest.metricItemId": "The id of the metric that is meant.",
  "pb.ExistsNodeClusterMetricItemRequest.nodeClusterId": "The id of the cluster that is meant.",
  "pb.FindAllNodeClusterMetricItemsRequest": "Selects the metrics to find.",
  "pb.FindAllNodeClusterMetricItemsRequest.category": "The category: http, tcp or udp; empty means all.",
  "pb.FindAllNodeClusterMetricItemsRequest.nodeClusterId": "Selects the node cluster metric items of this cluster, by its id.",
  "pb.FindAllNodeClusterMetricItemsResponse": "The metrics.",
  "pb.FindAllNodeClusterMetricItemsResponse.metricItems": "The metrics, including those that are off.",
  "pb.FindAllNodeClustersWithMetricItemIdRequest": "Selects the metric.",
  "pb.FindAllNodeClustersWithMetricItemIdRequest.metricItemId": "Selects the node clusters of this metric, by its id.",
  "pb.FindAllNodeClustersWithMetricItemIdResponse": "The clusters.",
  "pb.FindAllNodeClustersWithMetricItemIdResponse.nodeClusters": "The clusters, with id, name and isOn.",
  "pb.NodeClusterMetricItemService": "Manages which metrics each cluster of edge nodes counts.",
  "pb.NodeClusterMetricItemService.disableNodeClusterMetricItem": "Disables a metric in a cluster. The operation is idempotent.",
  "pb.NodeClusterMetricItemService.enableNodeClusterMetricItem": "Enables a metric in a cluster. The operation is idempotent.",
  "pb.NodeClusterMetricItemService.existsNodeClusterMetricItem": "Checks whether a metric is enabled in a cluster.",
  "pb.NodeClusterMetricItemService.findAllNodeClusterMetricItems": "Finds the metrics that are enabled in a cluster, most recently enabled first.",
  "pb.NodeClusterMetricItemService.findAllNodeClustersWithMetricItemId": "Finds the clusters in which a metric is enabled, most recently enabled first.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
