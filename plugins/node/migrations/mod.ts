import * as createNodes from "./0001_create_nodes.ts";
import * as addPrograms from "./0002_add_programs.ts";
import * as tellOffline from "./0003_tell_offline.ts";

export const migrations = {
  "0001_create_nodes": createNodes,
  "0002_add_programs": addPrograms,
  "0003_tell_offline": tellOffline,
};
