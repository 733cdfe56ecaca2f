import * as createNodeRegions from "./0001_create_node_regions.ts";

export const migrations = {
  "0001_create_node_regions": createNodeRegions,
};
