import { definePlugin, jsonBytes, optional, type Plugin } from "edgehelm";
import { NodeConfigParts } from "../node/contract.ts";
import { ClusterPolicyChecks, NodeClusters, policyConfigs, policyUses } from "../node_cluster/contract.ts";
import { policyConfig } from "./config.ts";
import { HTTPCachePolicies, HTTPCachePolicyUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { httpCachePolicyHandlers, nameMessage } from "./handlers.ts";
import * as createHTTPCachePolicies from "./migrations/0001_create_http_cache_policies.ts";
import manifest from "./plugin.json" with { type: "json" };
import { HTTPCachePolicyService } from "./proto/service_http_cache_policy_pb.ts";
import { HTTPCachePolicyConfigSchema } from "./proto/shapes_pb.ts";
import { httpCachePolicyStore, type Tables } from "./store.ts";

const KIND = "http_cache_policy";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_http_cache_policies": createHTTPCachePolicies },
  requires: { clusters: optional(NodeClusters) },
  setup({ db, deps: { clusters }, serve, provide, contribute, contributions }) {
    const policies = httpCachePolicyStore(db<Tables>());
    serve(HTTPCachePolicyService, httpCachePolicyHandlers(policies, clusters, contributions(HTTPCachePolicyUses)));
    const { summaries, require: requirePolicy } = policies.references(nameMessage);
    const contract: HTTPCachePolicies = {
      summaries,
      requirePolicy,
      async config(call, id) {
        const row = await policies.find(call, id);
        return row && jsonBytes(HTTPCachePolicyConfigSchema, policyConfig(row));
      },
    };
    provide(HTTPCachePolicies, contract);
    contribute(ClusterPolicyChecks, { kind: KIND, requirePolicy });
    if (clusters === undefined) return;
    contribute(HTTPCachePolicyUses, policyUses(clusters, KIND));
    contribute(NodeConfigParts, {
      name: "httpCachePolicies",
      compose: (call, { clusterIds }) => policyConfigs(call, { clusters, kind: KIND, clusterIds }, contract.config),
    });
  },
});
export default plugin;
