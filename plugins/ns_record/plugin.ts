import { definePlugin, optional, type Plugin } from "edgehelm";
import { Events } from "edgehelm/runtime";
import { followDomain, NSDomainFollowers, NSDomains } from "../ns_domain/contract.ts";
import { NSNodeFeeds, NSNodes } from "../ns_node/contract.ts";
import { NSRoutes, NSRouteUses } from "../ns_route/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { NSRecords } from "./contract.ts";
import { routeUses } from "./contributions.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { RecordHealth } from "./health.ts";
import { bulkHandlers } from "./handlers/bulk.ts";
import { healthStateHandlers } from "./handlers/health_states.ts";
import { listHandlers } from "./handlers/lists.ts";
import { recordHandlers } from "./handlers/records.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { nsRecords } from "./provided.ts";
import { RECORDS_PER_DOMAIN } from "./quota.ts";
import { Records } from "./records.ts";
import { NSRecordService } from "./proto/service_ns_record_pb.ts";
import { nsRecordLists } from "./store_lists.ts";
import { recordHealthStore } from "./store_health.ts";
import { healthStateLists } from "./store_health_states.ts";
import { nsRecordStore, recordFeed, type Tables } from "./store.ts";
import { nsZones } from "./zones.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  events: EVENTS,
  feeds: [recordFeed],
  requires: {
    domains: NSDomains,
    routes: optional(NSRoutes),
    nodes: optional(NSNodes),
    quotas: optional(UserQuotas),
    events: Events,
  },
  setup({ db, clock, deps: { domains, routes, nodes, quotas, events }, serve, provide, contribute, every }) {
    const tables = db<Tables>();
    const store = nsRecordStore(tables);
    const lists = nsRecordLists(tables);
    const records = new Records(store, lists, routes, quotas, clock);
    const health = new RecordHealth({ store, health: recordHealthStore(tables), domains, nodes, events, clock });
    const handlerDeps = { store, lists, records, health, domains, routes, nodes };
    serve(NSRecordService, {
      ...recordHandlers(handlerDeps),
      ...bulkHandlers(handlerDeps),
      ...listHandlers(handlerDeps),
      ...healthStateHandlers({ ...handlerDeps, states: healthStateLists(tables), clock }),
    });
    provide(NSRecords, { ...nsRecords(handlerDeps), ...nsZones(tables) });
    contribute(NSDomainFollowers, followDomain(store));
    contribute(UserQuotaDeclarations, RECORDS_PER_DOMAIN);
    contribute(NSRouteUses, routeUses(store, domains));
    every({ name: "review_health", everySeconds: 60, run: (call) => health.review(call) });
    contribute(NSNodeFeeds, {
      type: "nsRecordChanged",
      latestVersion: (call, clusterId) => store.feed.latest(call, clusterId),
      onChange: store.feed.onChange,
    });
  },
});
export default plugin;
