import * as createAPINodes from "./0001_create_api_nodes.ts";

export const migrations = {
  "0001_create_api_nodes": createAPINodes,
};
