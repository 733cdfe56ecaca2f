import * as createReverseProxies from "./0001_create_reverse_proxies.ts";

export const migrations = {
  "0001_create_reverse_proxies": createReverseProxies,
};
