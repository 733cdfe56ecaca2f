import { definePlugin, invalid, jsonBytes, optional, type Plugin } from "edgehelm";
import { NodeClusters } from "../node_cluster/contract.ts";
import { policyConfig } from "./config.ts";
import { HTTPCachePolicies, HTTPCachePolicyUses } from "./contract.ts";
import { httpCachePolicyHandlers } from "./handlers.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { HTTPCachePolicyService } from "./service_http_cache_policy_pb.ts";
import { HTTPCachePolicyConfigSchema } from "./shapes_pb.ts";
import { httpCachePolicyStore, type Tables } from "./store.ts";
import { clusterUses } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  requires: { clusters: optional(NodeClusters) },
  setup({ db, deps: { clusters }, serve, provide, contribute, contributions }) {
    const policies = httpCachePolicyStore(db<Tables>());
    if (clusters !== undefined) contribute(HTTPCachePolicyUses, clusterUses(clusters));
    serve(HTTPCachePolicyService, httpCachePolicyHandlers(policies, clusters, contributions(HTTPCachePolicyUses)));
    provide(HTTPCachePolicies, {
      async summaries(call, ids) {
        const rows = await policies.summaries.all(call, { ids: [...ids] });
        return new Map(rows.map(({ id, name, isOn }) => [id, { id, name, isOn: isOn === 1n }]));
      },
      async requirePolicy(call, field, id) {
        if ((await this.summaries(call, [id])).size === 0) throw invalid(field, `cache policy ${id} does not exist`);
      },
      async config(call, id) {
        const row = await policies.byId.first(call, { id });
        return row === undefined ? undefined : jsonBytes(HTTPCachePolicyConfigSchema, policyConfig(row));
      },
    });
  },
});
export default plugin;
