import * as createNodeLogs from "./0001_create_node_logs.ts";

export const migrations = {
  "0001_create_node_logs": createNodeLogs,
};
