import { definePlugin, type Plugin } from "edgehelm";
import { NSDomains } from "../ns_domain/contract.ts";
import { NSNodeFeeds, NSNodes } from "../ns_node/contract.ts";
import { NSRecords } from "../ns_record/contract.ts";
import { ZoneText } from "../ns_zone_file/contract.ts";
import { nsZoneHandlers } from "./handlers.ts";
import { Histories } from "./histories.ts";
import * as createNSFeedHistories from "./migrations/0001_create_ns_feed_histories.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSZoneService } from "./proto/service_ns_zone_pb.ts";
import { historyStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_ns_feed_histories": createNSFeedHistories },
  requires: { domains: NSDomains, records: NSRecords, nodes: NSNodes, text: ZoneText },
  setup({ db, deps, serve, contributions, systemCall, onStart }) {
    const histories = new Histories(historyStore(db<Tables>()), () => contributions(NSNodeFeeds));
    serve(NSZoneService, nsZoneHandlers({ ...deps, histories }));
    onStart(() => histories.begin(systemCall("history of feeds")));
  },
});
export default plugin;
