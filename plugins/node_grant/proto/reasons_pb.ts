// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NodeGrantService/countAllEnabledNodeGrants": ["kernel.invalid_field","node_grant.not_found"],
  "/NodeGrantService/createNodeGrant": ["kernel.invalid_field","node_grant.not_found","node_grant.secret_missing"],
  "/NodeGrantService/disableNodeGrant": ["kernel.invalid_field","node_grant.in_use","node_grant.not_found"],
  "/NodeGrantService/findAllEnabledNodeGrants": ["kernel.invalid_field","node_grant.not_found"],
  "/NodeGrantService/findEnabledNodeGrant": ["kernel.invalid_field","node_grant.not_found"],
  "/NodeGrantService/findSuggestNodeGrants": ["kernel.invalid_field","node_cluster.not_found","node_grant.not_found"],
  "/NodeGrantService/listEnabledNodeGrants": ["kernel.invalid_field","node_grant.not_found"],
  "/NodeGrantService/testNodeGrant": ["kernel.invalid_field","kernel.unavailable","node.not_found","node_cluster.not_found","node_grant.not_found"],
  "/NodeGrantService/updateNodeGrant": ["kernel.invalid_field","node_grant.not_found","node_grant.secret_missing"],
};
