import * as createNodeClusters from "./0001_create_node_clusters.ts";

export const migrations = {
  "0001_create_node_clusters": createNodeClusters,
};
