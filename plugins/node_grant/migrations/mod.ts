import * as createNodeGrants from "./0001_create_node_grants.ts";

export const migrations = {
  "0001_create_node_grants": createNodeGrants,
};
