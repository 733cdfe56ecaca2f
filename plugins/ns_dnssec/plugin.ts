import { definePlugin, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { Events } from "edgehelm/runtime";
import { DomainVerification, NSDomainFollowers, NSDomains } from "../ns_domain/contract.ts";
import { NSNodeFeeds, NSNodes } from "../ns_node/contract.ts";
import { KeyChanges } from "./changes.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { followKeys } from "./following.ts";
import { nsDNSSECHandlers } from "./handlers.ts";
import { KeyJobs } from "./jobs.ts";
import { PrivateKeys } from "./keys.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSDNSSECConfigSchema } from "./proto/config_pb.ts";
import { NSDNSSECService } from "./proto/service_ns_dnssec_pb.ts";
import { dnssecStore, type Tables, zoneFeed } from "./store.ts";
import { waitsOf } from "./waits.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  feeds: [zoneFeed],
  events: EVENTS,
  config: NSDNSSECConfigSchema,
  sealed: [{ table: "nsDNSSECKeys", column: "privateKey", row: "keyPlace" }],
  requires: { domains: NSDomains, parents: DomainVerification, nodes: NSNodes, secrets: Secrets, events: Events },
  setup({ db, config, clock, log, deps, serve, contribute, every }) {
    const store = dnssecStore(db<Tables>());
    const waits = waitsOf(config);
    const keys = new PrivateKeys(deps.secrets);
    const changes = new KeyChanges({ store, events: deps.events, clock, waits });
    const jobs = new KeyJobs({ ...deps, store, changes, keys, clock, log, waits });
    serve(NSDNSSECService, nsDNSSECHandlers({ ...deps, store, changes, keys, clock, waits }));
    contribute(NSDomainFollowers, followKeys(store, changes));
    contribute(NSNodeFeeds, {
      type: "nsDNSSECChanged",
      latestVersion: (call, clusterId) => store.feed.latest(call, clusterId),
      onChange: store.feed.onChange,
    });
    every({ name: "roll", everySeconds: 60, run: (call) => jobs.roll(call) });
    every({ name: "check_parents", everySeconds: 300, run: (call) => jobs.checkParents(call) });
  },
});
export default plugin;
