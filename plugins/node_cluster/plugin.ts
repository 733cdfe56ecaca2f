import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { AdminDashboard } from "../admin/contract.ts";
import { NodeGrants, NodeGrantSuggestions, NodeGrantUses } from "../node_grant/contract.ts";
import { ClusterAccess, ClusterAudiences, PlanHolders } from "../plan/contract.ts";
import { nodeClusters } from "./clusters.ts";
import { ClusterPolicyChecks, NodeClusterDeletions, NodeClusters, NodeClusterUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { clusterHandlers } from "./handlers/clusters.ts";
import { configHandlers } from "./handlers/configs.ts";
import { findHandlers } from "./handlers/find.ts";
import { policyHandlers } from "./handlers/policies.ts";
import * as createNodeClusters from "./migrations/0001_create_node_clusters.ts";
import * as restrictClusters from "./migrations/0002_restrict_clusters.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NodeClusterService } from "./proto/service_node_cluster_pb.ts";
import { nodeClusterStore, type Tables } from "./store.ts";
import { nodeClusterChanges } from "./store_changes.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_node_clusters": createNodeClusters, "0002_restrict_clusters": restrictClusters },
  requires: { grants: optional(NodeGrants) },
  setup({ db, clock, deps: { grants }, serve, provide, contribute, contributions }) {
    const tables = db<Tables>();
    const clusters = nodeClusterStore(tables);
    const changes = nodeClusterChanges(tables);
    const extensions = {
      uses: contributions(NodeClusterUses),
      deletions: contributions(NodeClusterDeletions),
      policyChecks: contributions(ClusterPolicyChecks),
    };
    const access = new ClusterAccess({
      audiences: contributions(ClusterAudiences),
      holders: contributions(PlanHolders),
    });
    const handlerDeps = { clusters, changes, grants, access, clock, ...extensions };
    serve(NodeClusterService, {
      ...clusterHandlers(handlerDeps),
      ...policyHandlers(handlerDeps),
      ...configHandlers(handlerDeps),
      ...findHandlers(handlerDeps),
    });
    provide(NodeClusters, nodeClusters(clusters, changes, access));
    contribute(AdminDashboard, {
      figures: async (call) => ({
        countNodeClusters: (await clusters.lists.newestFirst.count(call, { keyword: "" })).count,
      }),
    });
    contribute(NodeGrantUses, usedBy(clusters.withReference.nodeGrantId.some, ({ name }) => `node cluster "${name}"`));
    contribute(NodeGrantSuggestions, {
      async grantsOf(call, { nodeClusterId }) {
        const { nodeGrantId = 0n } = await clusters.byId.first(call, { id: nodeClusterId }) ?? {};
        return nodeGrantId === 0n ? [] : [nodeGrantId];
      },
    });
  },
});
export default plugin;
