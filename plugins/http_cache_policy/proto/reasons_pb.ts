// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/HTTPCachePolicyService/countAllEnabledHTTPCachePolicies": ["http_cache_policy.not_found","kernel.invalid_field","node_cluster.not_found"],
  "/HTTPCachePolicyService/createHTTPCachePolicy": ["http_cache_policy.not_found","kernel.invalid_field"],
  "/HTTPCachePolicyService/deleteHTTPCachePolicy": ["http_cache_policy.in_use","http_cache_policy.not_found","kernel.invalid_field"],
  "/HTTPCachePolicyService/findAllEnabledHTTPCachePolicies": ["http_cache_policy.not_found","kernel.invalid_field"],
  "/HTTPCachePolicyService/findEnabledHTTPCachePolicy": ["http_cache_policy.not_found","kernel.invalid_field"],
  "/HTTPCachePolicyService/findEnabledHTTPCachePolicyConfig": ["http_cache_policy.not_found","kernel.invalid_field"],
  "/HTTPCachePolicyService/listEnabledHTTPCachePolicies": ["http_cache_policy.not_found","kernel.invalid_field","node_cluster.not_found"],
  "/HTTPCachePolicyService/updateHTTPCachePolicy": ["http_cache_policy.not_found","kernel.invalid_field","node_cluster.not_found"],
  "/HTTPCachePolicyService/updateHTTPCachePolicyRefs": ["http_cache_policy.not_found","kernel.invalid_field","node_cluster.not_found"],
};
