// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NodeClusterService/countAllEnabledNodeClusters": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/countAllEnabledNodeClustersWithHTTPCachePolicyId": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/countAllEnabledNodeClustersWithHTTPFirewallPolicyId": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/countAllEnabledNodeClustersWithNodeGrantId": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/createNodeCluster": ["kernel.invalid_field","node_cluster.dns_domain_missing","node_cluster.dns_name_taken","node_cluster.not_found","plan.not_found"],
  "/NodeClusterService/deleteNodeCluster": ["kernel.invalid_field","node_cluster.in_use","node_cluster.not_found"],
  "/NodeClusterService/findAllEnabledNodeClusters": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/findAllEnabledNodeClustersWithHTTPCachePolicyId": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/findAllEnabledNodeClustersWithHTTPFirewallPolicyId": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/findAllEnabledNodeClustersWithNodeGrantId": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/findEnabledNodeCluster": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/findLatestNodeClusters": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/findNodeClusterDDoSProtection": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/findNodeClusterGlobalServerConfig": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/findNodeClusterSystemService": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/listEnabledNodeClusters": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/updateNodeCluster": ["kernel.invalid_field","node_cluster.not_found","plan.not_found"],
  "/NodeClusterService/updateNodeClusterDDoSProtection": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/updateNodeClusterGlobalServerConfig": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/updateNodeClusterHTTPCachePolicyId": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/updateNodeClusterHTTPFirewallPolicyId": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/updateNodeClusterPinned": ["kernel.invalid_field","node_cluster.not_found"],
  "/NodeClusterService/updateNodeClusterSystemService": ["kernel.invalid_field","node_cluster.not_found"],
};
