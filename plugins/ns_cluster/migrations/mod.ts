import * as createNSClusters from "./0001_create_ns_clusters.ts";

export const migrations = {
  "0001_create_ns_clusters": createNSClusters,
};
