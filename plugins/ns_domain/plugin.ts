import { definePlugin, optional, type Plugin } from "edgehelm";
import { Events, hostPart } from "edgehelm/runtime";
import { NSNodeFeeds, NSNodes } from "../ns_node/contract.ts";
import { userRemoval, UserRemovals, UserStateListeners, UserStates } from "../user/contract.ts";
import { UserQuotaDeclarations } from "../user_quota/contract.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { NSDomainConfigSchema } from "./proto/config_pb.ts";
import { DomainVerification, NSDomainFollowers, NSDomains, NSDomainTransferListeners } from "./contract.ts";
import { nsDomains } from "./domains.ts";
import { followJob } from "./following.ts";
import { nsDomainHandlers } from "./handlers/mod.ts";
import { migrations } from "./migrations/mod.ts";
import { Placement } from "./placement.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NS_DOMAINS } from "./quota.ts";
import type { DomainResolver } from "./resolver.ts";
import { NSDomainService } from "./proto/service_ns_domain_pb.ts";
import { Republishing, Serving } from "./serving.ts";
import { nsDomainChanges } from "./store_changes.ts";
import { domainFeed, domainList, type Tables } from "./store_tables.ts";
import { nsDomainStore } from "./store.ts";
import { RELATED } from "./summaries.ts";
import { TransferAsks } from "./transfer_asks.ts";
import { domainUses, nodeFeed } from "./uses.ts";
import { domainVerification } from "./verification.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  lists: [domainList],
  feeds: [domainFeed],
  events: EVENTS,
  config: NSDomainConfigSchema,
  host: hostPart<DomainResolver>(),
  requires: {
    ...RELATED,
    states: optional(UserStates),
    nodes: optional(NSNodes),
    events: Events,
  },
  setup({ db, config, clock, log, host, deps, serve, provide, every, contribute, contributions }) {
    const tables = db<Tables>();
    const [list, feed, domains] = [domainList.open(tables), domainFeed.open(tables), nsDomainStore(tables)];
    const changes = nsDomainChanges(tables, list);
    const transferAsks = new TransferAsks(tables, deps.events, clock);
    const placement = new Placement({ domains, changes, list, related: deps, clock, transferAsks });
    const verification = domainVerification(config, host);
    const [serving, publishing] = [new Serving(deps.states), new Republishing(tables, feed, deps.states)];
    const checks = { placement, serving, verification, transferListeners: contributions(NSDomainTransferListeners) };
    const handlerDeps = { domains, changes, list, feed, transferAsks, ...checks, ...deps, related: deps, clock, log };
    serve(NSDomainService, nsDomainHandlers(handlerDeps));
    provide(NSDomains, nsDomains(domains, serving));
    provide(DomainVerification, verification);
    every({ name: "follow", everySeconds: 5, run: followJob(domains, changes, contributions(NSDomainFollowers)) });
    every({ name: "publish", everySeconds: 5, run: (call) => publishing.publishWaiting(call) });
    every({ name: "forget_asks", everySeconds: 3600, run: (call) => transferAsks.removeOld(call) });
    contribute(UserStateListeners, { changed: (call, userId) => publishing.ownerChanged(call, userId) });
    contribute(NSNodeFeeds, nodeFeed(feed));
    for (const [uses, check] of domainUses(list)) contribute(uses, check);
    contribute(UserQuotaDeclarations, NS_DOMAINS);
    contribute(UserRemovals, userRemoval(domains.someOfUser, changes.softDelete));
    contribute(UserRemovals, transferAsks);
  },
});
export default plugin;
