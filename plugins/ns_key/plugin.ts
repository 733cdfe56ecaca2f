import { definePlugin, optional, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { NSDomainFollowers, NSDomains } from "../ns_domain/contract.ts";
import { NSNodeFeeds, NSNodes } from "../ns_node/contract.ts";
import { domainFollower, keyFeed } from "./following.ts";
import { nsKeyHandlers } from "./handlers.ts";
import * as createNSKeys from "./migrations/0001_create_ns_keys.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSKeyService } from "./proto/service_ns_key_pb.ts";
import { nsKeyStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations: { "0001_create_ns_keys": createNSKeys },
  requires: { domains: NSDomains, nodes: optional(NSNodes), secrets: Secrets },
  setup({ db, deps, serve, contribute }) {
    const keys = nsKeyStore(db<Tables>());
    serve(NSKeyService, nsKeyHandlers({ keys, ...deps }));
    contribute(NSDomainFollowers, domainFollower(keys));
    contribute(NSNodeFeeds, keyFeed(keys));
  },
});
export default plugin;
