import { definePlugin, optional, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { followDomain, NSDomainFollowers, NSDomains } from "../ns_domain/contract.ts";
import { NSNodeFeeds, NSNodes } from "../ns_node/contract.ts";
import { errors } from "./errors.ts";
import { nsKeyHandlers } from "./handlers.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSKeyService } from "./proto/service_ns_key_pb.ts";
import { keyFeed, nsKeyStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  feeds: [keyFeed],
  sealed: [{ table: "nsKeys", column: "secret", row: "secretPlace" }],
  requires: { domains: NSDomains, nodes: optional(NSNodes), secrets: Secrets },
  setup({ db, deps, serve, contribute }) {
    const keys = nsKeyStore(db<Tables>());
    serve(NSKeyService, nsKeyHandlers({ keys, ...deps }));
    contribute(NSDomainFollowers, followDomain(keys));
    contribute(NSNodeFeeds, {
      type: "nsKeyChanged",
      latestVersion: (call, clusterId) => keys.feed.latest(call, clusterId),
      onChange: keys.feed.onChange,
    });
  },
});
export default plugin;
