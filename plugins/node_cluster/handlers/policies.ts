import { type Call, type Handlers, idField } from "edgehelm";
import { idOrNoneField } from "edgehelm/fields";
import type { ClusterPolicy } from "../contract.ts";
import { errors } from "../errors.ts";
import type { NodeClusterService } from "../proto/service_node_cluster_pb.ts";
import type { Deps } from "./deps.ts";

type PolicyColumn = "httpCachePolicyId" | "httpFirewallPolicyId";
type PolicyOperations = "updateNodeClusterHTTPCachePolicyId" | "updateNodeClusterHTTPFirewallPolicyId";

const KINDS: Record<PolicyColumn, ClusterPolicy> = {
  httpCachePolicyId: "http_cache_policy",
  httpFirewallPolicyId: "http_firewall_policy",
};

/** Checks that a policy exists; 0 means none. A kind without a check is accepted. */
export async function requirePolicy(
  { policyChecks }: Deps,
  call: Call,
  column: PolicyColumn,
  policyId: bigint,
): Promise<void> {
  if (idOrNoneField(column, policyId) === 0n) return;
  for (const check of policyChecks) {
    if (check.kind === KINDS[column]) await check.requirePolicy(call, column, policyId);
  }
}

/** Implements the operations that set the policies of a cluster. */
export function policyHandlers(deps: Deps): Pick<Handlers<typeof NodeClusterService>, PolicyOperations> {
  async function set(call: Call, nodeClusterId: bigint, column: PolicyColumn, policyId: bigint): Promise<object> {
    const id = idField("nodeClusterId", nodeClusterId);
    await requirePolicy(deps, call, column, policyId);
    if (await deps.changes.setPolicy[column].run(call, { id, policyId }) === 0n) throw errors.not_found(id);
    return {};
  }

  return {
    updateNodeClusterHTTPCachePolicyId: ({ nodeClusterId, httpCachePolicyId }, call) =>
      set(call, nodeClusterId, "httpCachePolicyId", httpCachePolicyId),
    updateNodeClusterHTTPFirewallPolicyId: ({ nodeClusterId, httpFirewallPolicyId }, call) =>
      set(call, nodeClusterId, "httpFirewallPolicyId", httpFirewallPolicyId),
  };
}
