import { definePlugin, type Plugin } from "edgehelm";
import { nsClusters } from "./clusters.ts";
import { NSClusters, NSClusterSSLPolicies, NSClusterUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { clusterHandlers } from "./handlers/clusters.ts";
import { configHandlers } from "./handlers/configs.ts";
import * as createNSClusters from "./migrations/0001_create_ns_clusters.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSClusterService } from "./proto/service_ns_cluster_pb.ts";
import { nsClusterStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_ns_clusters": createNSClusters },
  setup({ db, serve, provide, contributions }) {
    const store = nsClusterStore(db<Tables>());
    const clusters = nsClusters(store);
    const extensions = { uses: contributions(NSClusterUses), sslPolicies: contributions(NSClusterSSLPolicies) };
    serve(NSClusterService, { ...clusterHandlers(store, clusters, extensions), ...configHandlers(store) });
    provide(NSClusters, clusters);
  },
});
export default plugin;
