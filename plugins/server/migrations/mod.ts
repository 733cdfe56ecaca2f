import * as createServers from "./0001_create_servers.ts";
import * as indexMoreNodes from "./0002_index_more_nodes.ts";

export const migrations = {
  "0001_create_servers": createServers,
  "0002_index_more_nodes": indexMoreNodes,
};
