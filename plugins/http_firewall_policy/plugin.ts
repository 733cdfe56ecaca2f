import { definePlugin, optional, type Plugin } from "edgehelm";
import {
  HTTPFirewallRuleGroupListeners,
  HTTPFirewallRuleGroupReferrers,
  HTTPFirewallRuleGroups,
} from "../http_firewall_rule_group/contract.ts";
import { NodeConfigParts } from "../node/contract.ts";
import { ClusterPolicyChecks, NodeClusters, policyConfigs, policyUses } from "../node_cluster/contract.ts";
import { ServerFeatureUses, Servers, ServerTransferListeners } from "../server/contract.ts";
import { userRemoval, UserRemovals } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { HTTPFirewallPolicies, HTTPFirewallPolicyUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { policiesOfServers } from "./feature.ts";
import { policyHandlers, removePolicies } from "./handlers.ts";
import * as createPolicies from "./migrations/0001_create_http_firewall_policies.ts";
import * as addOwners from "./migrations/0002_add_owners.ts";
import manifest from "./plugin.json" with { type: "json" };
import { PolicyOwners } from "./owners.ts";
import { Policies } from "./policies.ts";
import { HTTPFirewallPolicyService } from "./proto/service_http_firewall_policy_pb.ts";
import { FIREWALL_POLICIES } from "./quota.ts";
import { policyStore, type Tables } from "./store.ts";

const KIND = "http_firewall_policy";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_http_firewall_policies": createPolicies, "0002_add_owners": addOwners },
  requires: {
    groups: HTTPFirewallRuleGroups,
    clusters: optional(NodeClusters),
    servers: optional(Servers),
    quotas: optional(UserQuotas),
  },
  setup({ db, deps, serve, provide, contribute, contributions }) {
    const store = policyStore(db<Tables>());
    const policies = new Policies(store, deps);
    const owners = new PolicyOwners(store, deps);
    const uses = contributions(HTTPFirewallPolicyUses);
    serve(HTTPFirewallPolicyService, policyHandlers({ store, policies, owners, contracts: deps, uses }));
    provide(HTTPFirewallPolicies, policies);
    contribute(HTTPFirewallRuleGroupListeners, { changed: (call, groupIds) => policies.groupsChanged(call, groupIds) });
    contribute(HTTPFirewallRuleGroupReferrers, owners);
    contribute(ServerTransferListeners, owners);
    contribute(ServerFeatureUses, policiesOfServers(store));
    contribute(UserQuotaDeclarations, FIREWALL_POLICIES);
    contribute(UserRemovals, userRemoval(store.someOfUser, (call, ids) => removePolicies(call, store, ids)));
    contribute(ClusterPolicyChecks, {
      kind: KIND,
      async requirePolicy(call, field, id) {
        await policies.requirePolicy(call, field, id);
        await owners.requireInstallations(call, field, id);
      },
    });
    const { clusters } = deps;
    if (clusters === undefined) return;
    contribute(HTTPFirewallPolicyUses, policyUses(clusters, KIND));
    contribute(NodeConfigParts, {
      name: "httpFirewallPolicies",
      compose: (call, { clusterIds }) =>
        policyConfigs(call, { clusters, kind: KIND, clusterIds }, (inner, id) => policies.config(inner, id)),
    });
  },
});
export default plugin;
