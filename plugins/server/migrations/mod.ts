import * as createServers from "./0001_create_servers.ts";

export const migrations = {
  "0001_create_servers": createServers,
};
