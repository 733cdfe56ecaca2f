import * as createNodes from "./0001_create_nodes.ts";
import * as tellOffline from "./0002_tell_offline.ts";

export const migrations = {
  "0001_create_nodes": createNodes,
  "0002_tell_offline": tellOffline,
};
