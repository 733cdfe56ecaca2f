import { definePlugin, optional, type Plugin } from "edgehelm";
import {
  HTTPFirewallRuleGroupListeners,
  HTTPFirewallRuleGroups,
  HTTPFirewallRuleGroupSiteChecks,
} from "../http_firewall_rule_group/contract.ts";
import { NodeConfigParts } from "../node/contract.ts";
import { ClusterPolicyChecks, NodeClusters } from "../node_cluster/contract.ts";
import { Servers } from "../server/contract.ts";
import { HTTPFirewallPolicies, HTTPFirewallPolicyUses } from "./contract.ts";
import { policyHandlers } from "./handlers.ts";
import * as createPolicies from "./migrations/0001_create_http_firewall_policies.ts";
import manifest from "./plugin.json" with { type: "json" };
import { Policies } from "./policies.ts";
import { HTTPFirewallPolicyService } from "./proto/service_http_firewall_policy_pb.ts";
import { policyStore, type Tables } from "./store.ts";
import { clusterUses, nodeConfigPart } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations: { "0001_create_http_firewall_policies": createPolicies },
  requires: { groups: HTTPFirewallRuleGroups, clusters: optional(NodeClusters), servers: optional(Servers) },
  setup({ db, deps, serve, provide, contribute, contributions }) {
    const store = policyStore(db<Tables>());
    const policies = new Policies(store, deps);
    const uses = contributions(HTTPFirewallPolicyUses);
    serve(HTTPFirewallPolicyService, policyHandlers({ store, policies, contracts: deps, uses }));
    provide(HTTPFirewallPolicies, policies);
    contribute(HTTPFirewallRuleGroupListeners, { changed: (call, groupIds) => policies.groupsChanged(call, groupIds) });
    contribute(HTTPFirewallRuleGroupSiteChecks, {
      isUsedBySiteOf: (call, groupId, userId) => policies.isUsedBySiteOf(call, groupId, userId),
    });
    contribute(ClusterPolicyChecks, {
      kind: "http_firewall_policy",
      requirePolicy: (call, field, id) => policies.requirePolicy(call, field, id),
    });
    if (deps.clusters === undefined) return;
    contribute(HTTPFirewallPolicyUses, clusterUses(deps.clusters));
    contribute(NodeConfigParts, nodeConfigPart(deps.clusters, policies));
  },
});
export default plugin;
