import * as createNSNodes from "./0001_create_ns_nodes.ts";
import * as moveInstallations from "./0002_move_installations.ts";

export const migrations = {
  "0001_create_ns_nodes": createNSNodes,
  "0002_move_installations": moveInstallations,
};
