// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.DisableNodeClusterMetricItemRequest": "要停用的指标及其集群。",
  "pb.DisableNodeClusterMetricItemRequest.metricItemId": "所指指标的 ID。",
  "pb.DisableNodeClusterMetricItemRequest.nodeClusterId": "所指集群的 id。",
  "pb.EnableNodeClusterMetricItemRequest": "要启用的指标及其集群。",
  "pb.EnableNodeClusterMetricItemRequest.metricItemId": "所指指标的 ID。",
  "pb.EnableNodeClusterMetricItemRequest.nodeClusterId": "所指集群的 id。",
  "pb.ExistsNodeClusterMetricItemRequest": "要检查的指标和集群。",
  "pb.ExistsNodeClusterMetricItemRequest.metricItemId": "所指指标的 ID。",
  "pb.ExistsNodeClusterMetricItemRequest.nodeClusterId": "所指集群的 id。",
  "pb.FindAllNodeClusterMetricItemsRequest": "选择要查找的指标。",
  "pb.FindAllNodeClusterMetricItemsRequest.category": "类别：http、tcp 或 udp；为空表示全部。",
  "pb.FindAllNodeClusterMetricItemsRequest.nodeClusterId": "按 id 选择此集群的节点集群指标项。",
  "pb.FindAllNodeClusterMetricItemsResponse": "指标列表。",
  "pb.FindAllNodeClusterMetricItemsResponse.metricItems": "指标列表，包括已停用的指标。",
  "pb.FindAllNodeClustersWithMetricItemIdRequest": "选择指标。",
  "pb.FindAllNodeClustersWithMetricItemIdRequest.metricItemId": "按 id 选择启用此指标的节点集群。",
  "pb.FindAllNodeClustersWithMetricItemIdResponse": "集群列表。",
  "pb.FindAllNodeClustersWithMetricItemIdResponse.nodeClusters": "集群列表，包含 id、名称和 isOn。",
  "pb.NodeClusterMetricItemService": "管理各边缘节点集群统计哪些指标。",
  "pb.NodeClusterMetricItemService.disableNodeClusterMetricItem": "在集群中停用指标。该操作是幂等的。",
  "pb.NodeClusterMetricItemService.enableNodeClusterMetricItem": "在集群中启用指标。该操作是幂等的。",
  "pb.NodeClusterMetricItemService.existsNodeClusterMetricItem": "检查集群中是否启用了某个指标。",
  "pb.NodeClusterMetricItemService.findAllNodeClusterMetricItems": "查找集群中启用的指标，最近启用的在前。",
  "pb.NodeClusterMetricItemService.findAllNodeClustersWithMetricItemId": "查找启用了某个指标的集群，最近启用的在前。",
};
