import { definePlugin, invalid, optional, type Plugin } from "edgehelm";
import { UserRemovals, Users } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { NSDomainGroups, NSDomainGroupUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { groupMessage, nsDomainGroupHandlers } from "./handlers.ts";
import * as createNSDomainGroups from "./migrations/0001_create_ns_domain_groups.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NS_DOMAIN_GROUPS } from "./quota.ts";
import { NSDomainGroupService } from "./proto/service_ns_domain_group_pb.ts";
import { nsDomainGroupStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_ns_domain_groups": createNSDomainGroups },
  requires: { quotas: optional(UserQuotas), users: optional(Users) },
  setup({ db, deps: { quotas, users }, serve, provide, contribute, contributions }) {
    const groups = nsDomainGroupStore(db<Tables>());
    serve(NSDomainGroupService, nsDomainGroupHandlers(groups, contributions(NSDomainGroupUses), quotas, users));
    const { summaries } = groups.references(groupMessage);
    provide(NSDomainGroups, {
      summaries,
      async requireGroups(call, field, ids, userId) {
        const found = await summaries(call, ids);
        const missing = ids.find((id) => found.get(id)?.userId !== userId);
        if (missing !== undefined) throw invalid(field, errors.not_found(missing).message);
      },
    });
    contribute(UserRemovals, groups);
    contribute(UserQuotaDeclarations, NS_DOMAIN_GROUPS);
  },
});
export default plugin;
