import * as createHTTPCachePolicies from "./0001_create_http_cache_policies.ts";

export const migrations = {
  "0001_create_http_cache_policies": createHTTPCachePolicies,
};
