import * as createNodes from "./0001_create_nodes.ts";

export const migrations = {
  "0001_create_nodes": createNodes,
};
