import { definePlugin, type Plugin } from "edgehelm";
import { ClusterAccess, ClusterAudiences, PlanHolders } from "../plan/contract.ts";
import { nsClusters } from "./clusters.ts";
import { NSClusters, NSClusterSSLPolicies, NSClusterUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { clusterHandlers } from "./handlers/clusters.ts";
import { configHandlers } from "./handlers/configs.ts";
import * as createNSClusters from "./migrations/0001_create_ns_clusters.ts";
import * as restrictClusters from "./migrations/0002_restrict_clusters.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSClusterService } from "./proto/service_ns_cluster_pb.ts";
import { nsClusterStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_ns_clusters": createNSClusters, "0002_restrict_clusters": restrictClusters },
  setup({ db, serve, provide, contributions }) {
    const store = nsClusterStore(db<Tables>());
    const access = new ClusterAccess({
      audiences: contributions(ClusterAudiences),
      holders: contributions(PlanHolders),
    });
    const clusters = nsClusters(store, access);
    const extensions = { uses: contributions(NSClusterUses), sslPolicies: contributions(NSClusterSSLPolicies) };
    serve(NSClusterService, {
      ...clusterHandlers(store, clusters, extensions, access),
      ...configHandlers(store, extensions.sslPolicies),
    });
    provide(NSClusters, clusters);
  },
});
export default plugin;
