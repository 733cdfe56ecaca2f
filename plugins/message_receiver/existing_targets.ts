import type { Call } from "edgehelm";
import type { Nodes } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { NSClusters } from "../ns_cluster/contract.ts";
import type { Target } from "./store.ts";

/** The plugins that know the objects of targets, as far as they are enabled. */
export interface TargetOwners {
  readonly clusters: NodeClusters | undefined;
  readonly nodes: Nodes | undefined;
  readonly nsClusters: NSClusters | undefined;
}

/** Returns the check that the cluster and the node of a target exist. */
export function targetCheck({ clusters, nodes, nsClusters }: TargetOwners) {
  return async (call: Call, { role, clusterId, nodeId }: Target): Promise<void> => {
    const clustersOfRole = role === "dns" ? nsClusters : clusters;
    if (clusterId !== 0n) await clustersOfRole?.requireCluster(call, "nodeClusterId", clusterId);
    if (nodeId !== 0n && role === "node") await nodes?.requireNode(call, "nodeId", nodeId);
  };
}
