import { definePlugin, optional, type Plugin } from "edgehelm";
import { hostPart } from "edgehelm/runtime";
import { NSClusters, NSClusterUses } from "../ns_cluster/contract.ts";
import { NSDomainGroups, NSDomainGroupUses } from "../ns_domain_group/contract.ts";
import { NSNodeFeeds, NSNodes } from "../ns_node/contract.ts";
import { userRemoval, UserRemovals, Users } from "../user/contract.ts";
import { NSDomainConfigSchema } from "./proto/config_pb.ts";
import { NSDomainFollowers, NSDomains } from "./contract.ts";
import { nsDomains } from "./domains.ts";
import { followJob } from "./following.ts";
import { domainHandlers } from "./handlers/domain.ts";
import { domainFeed, feedHandlers } from "./handlers/feed.ts";
import { listHandlers } from "./handlers/list.ts";
import { settingsHandlers } from "./handlers/settings.ts";
import { verifyHandlers } from "./handlers/verify.ts";
import { migrations } from "./migrations/mod.ts";
import { Placement } from "./placement.ts";
import manifest from "./plugin.json" with { type: "json" };
import type { DomainResolver } from "./resolver.ts";
import { NSDomainService } from "./proto/service_ns_domain_pb.ts";
import { nsDomainIndexing, nsDomainNames } from "./store_search.ts";
import { nsDomainLists } from "./store_lists.ts";
import { nsDomainStore, type Tables } from "./store.ts";
import { clusterUses, groupUses } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  config: NSDomainConfigSchema,
  host: hostPart<DomainResolver>(),
  requires: {
    clusters: NSClusters,
    groups: optional(NSDomainGroups),
    users: optional(Users),
    nodes: optional(NSNodes),
  },
  setup({ db, config, clock, host, deps: { nodes, ...related }, ...setup }) {
    const { serve, provide, every, contribute, contributions } = setup;
    const tables = db<Tables>();
    const domains = nsDomainStore(tables);
    const names = nsDomainNames(tables);
    const lists = nsDomainLists(tables, names);
    const placement = new Placement(domains, related, clock);
    const handlerDeps = { domains, lists, placement, related, nodes, config, clock, resolver: host };
    serve(NSDomainService, {
      ...domainHandlers(handlerDeps),
      ...listHandlers(handlerDeps),
      ...feedHandlers(handlerDeps),
      ...settingsHandlers(handlerDeps),
      ...verifyHandlers(handlerDeps),
    });
    every({ name: "index_names", everySeconds: 5, run: nsDomainIndexing(tables, names) });
    provide(NSDomains, nsDomains(domains));
    every({ name: "follow", everySeconds: 5, run: followJob(domains, contributions(NSDomainFollowers)) });
    contribute(NSNodeFeeds, domainFeed(domains));
    contribute(NSClusterUses, clusterUses(lists));
    contribute(NSDomainGroupUses, groupUses(lists));
    contribute(UserRemovals, userRemoval(domains.someOfUser, (call, ids) => domains.softDelete(call, ids)));
  },
});
export default plugin;
