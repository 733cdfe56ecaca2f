import * as createNodeIPAddresses from "./0001_create_node_ip_addresses.ts";

export const migrations = {
  "0001_create_node_ip_addresses": createNodeIPAddresses,
};
