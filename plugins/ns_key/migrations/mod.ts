import * as createNSKeys from "./0001_create_ns_keys.ts";

export const migrations = {
  "0001_create_ns_keys": createNSKeys,
};
