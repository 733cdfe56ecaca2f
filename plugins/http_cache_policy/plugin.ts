import { definePlugin, optional, type Plugin } from "edgehelm";
import { NodeConfigParts } from "../node/contract.ts";
import { ClusterPolicyChecks, NodeClusters } from "../node_cluster/contract.ts";
import { HTTPCachePolicies, HTTPCachePolicyUses } from "./contract.ts";
import { httpCachePolicyHandlers } from "./handlers.ts";
import * as createHTTPCachePolicies from "./migrations/0001_create_http_cache_policies.ts";
import manifest from "./plugin.json" with { type: "json" };
import { policiesContract } from "./policies.ts";
import { HTTPCachePolicyService } from "./proto/service_http_cache_policy_pb.ts";
import { httpCachePolicyStore, type Tables } from "./store.ts";
import { clusterUses, nodeConfigPart } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations: { "0001_create_http_cache_policies": createHTTPCachePolicies },
  requires: { clusters: optional(NodeClusters) },
  setup({ db, deps: { clusters }, serve, provide, contribute, contributions }) {
    const policies = httpCachePolicyStore(db<Tables>());
    serve(HTTPCachePolicyService, httpCachePolicyHandlers(policies, clusters, contributions(HTTPCachePolicyUses)));
    const contract = policiesContract(policies);
    provide(HTTPCachePolicies, contract);
    contribute(ClusterPolicyChecks, { kind: "http_cache_policy", requirePolicy: contract.requirePolicy });
    if (clusters === undefined) return;
    contribute(HTTPCachePolicyUses, clusterUses(clusters));
    contribute(NodeConfigParts, nodeConfigPart(clusters, contract));
  },
});
export default plugin;
