import { definePlugin, optional, type Plugin } from "edgehelm";
import { NodeLogSubjects } from "../node_log/contract.ts";
import { OriginListeners, OriginReferrers, Origins } from "../origin/contract.ts";
import { ServerReferenceResolvers, Servers } from "../server/contract.ts";
import { userRemoval, UserRemovals } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { ReverseProxies } from "./contract.ts";
import { errors } from "./errors.ts";
import { reverseProxyHandlers } from "./handlers.ts";
import * as shareReverseProxies from "./migrations/0002_share_reverse_proxies.ts";
import * as createReverseProxies from "./migrations/0001_create_reverse_proxies.ts";
import manifest from "./plugin.json" with { type: "json" };
import { originsOf, Proxies, siteReferrer } from "./proxies.ts";
import { REVERSE_PROXIES } from "./quota.ts";
import { ReverseProxyService } from "./proto/service_reverse_proxy_pb.ts";
import { ORIGIN_REFERENCES, reverseProxyStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: {
    "0001_create_reverse_proxies": createReverseProxies,
    "0002_share_reverse_proxies": shareReverseProxies,
  },
  requires: { origins: Origins, servers: optional(Servers), quotas: optional(UserQuotas) },
  setup({ db, deps: { origins, servers, quotas }, serve, provide, contribute }) {
    const store = reverseProxyStore(db<Tables>(), {
      referrers: servers === undefined ? [] : [siteReferrer(servers)],
      taken: (call, row, field, taker) => origins.take(call, originsOf(row).map((id) => ({ field, id })), taker),
    });
    const proxies = new Proxies(store, origins, servers);
    serve(ReverseProxyService, reverseProxyHandlers(store, proxies, origins, quotas));
    provide(ReverseProxies, proxies);
    contribute(OriginReferrers, store.referrer(ORIGIN_REFERENCES));
    contribute(OriginListeners, { changed: (call, originIds) => proxies.originsChanged(call, originIds) });
    contribute(NodeLogSubjects, {
      field: "originId",
      ofCaller: (call, ids) => proxies.originsServedByCaller(call, ids),
    });
    contribute(ServerReferenceResolvers, {
      kind: "reverse_proxy",
      requireFor: (call, field, id, userId, previousUserId) =>
        store.take(call, [{ field, id }], { userId, ...(previousUserId !== undefined && { previousUserId }) }),
      configs: (call, ids) => proxies.configs(call, ids),
    });
    contribute(UserQuotaDeclarations, REVERSE_PROXIES);
    contribute(UserRemovals, userRemoval(store.someOfUser, (call, ids) => proxies.remove(call, ids)));
  },
});
export default plugin;
