import * as createNSNodes from "./0001_create_ns_nodes.ts";

export const migrations = {
  "0001_create_ns_nodes": createNSNodes,
};
