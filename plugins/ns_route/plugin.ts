import { definePlugin, optional, type Plugin } from "edgehelm";
import { NSClusters } from "../ns_cluster/contract.ts";
import { followDomain, NSDomainFollowers, NSDomains } from "../ns_domain/contract.ts";
import { NSNodeFeeds, NSNodes } from "../ns_node/contract.ts";
import { userRemoval, UserRemovals, Users } from "../user/contract.ts";
import { NSRoutes, NSRouteUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { nsRouteHandlers } from "./handlers.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { nsRoutes } from "./routes.ts";
import { NSRouteService } from "./proto/service_ns_route_pb.ts";
import { nsRouteStore, routeFeed, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  feeds: [routeFeed],
  requires: {
    clusters: NSClusters,
    domains: optional(NSDomains),
    nodes: optional(NSNodes),
    users: optional(Users),
  },
  setup({ db, deps, serve, provide, contribute, contributions }) {
    const routes = nsRouteStore(db<Tables>());
    serve(NSRouteService, nsRouteHandlers(routes, deps, contributions(NSRouteUses)));
    provide(NSRoutes, nsRoutes(routes));
    contribute(NSDomainFollowers, followDomain(routes));
    contribute(UserRemovals, userRemoval(routes.someOfUser, routes.softDelete));
    contribute(NSNodeFeeds, {
      type: "nsRouteChanged",
      latestVersion: (call) => routes.feed.latest(call, 0n),
      onChange: routes.feed.onChange,
    });
  },
});
export default plugin;
