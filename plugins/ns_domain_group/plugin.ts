import { definePlugin, invalid, type Plugin } from "edgehelm";
import { UserRemovals } from "../user/contract.ts";
import { NSDomainGroups, NSDomainGroupUses } from "./contract.ts";
import { groupMessage, nsDomainGroupHandlers } from "./handlers.ts";
import * as createNSDomainGroups from "./migrations/0001_create_ns_domain_groups.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSDomainGroupService } from "./proto/service_ns_domain_group_pb.ts";
import { nsDomainGroupStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations: { "0001_create_ns_domain_groups": createNSDomainGroups },
  setup({ db, serve, provide, contribute, contributions }) {
    const groups = nsDomainGroupStore(db<Tables>());
    serve(NSDomainGroupService, nsDomainGroupHandlers(groups, contributions(NSDomainGroupUses)));
    provide(NSDomainGroups, {
      async summaries(call, ids) {
        return new Map((await groups.byIds.all(call, { ids: [...ids] })).map((row) => [row.id, groupMessage(row)]));
      },
      async requireGroups(call, field, ids, userId) {
        const groupsById = await this.summaries(call, ids);
        for (const id of ids) {
          if (groupsById.get(id)?.userId !== userId) throw invalid(field, `domain group ${id} does not exist`);
        }
      },
    });
    contribute(UserRemovals, {
      removeSome: (call, userId, limit) => groups.softDeleteSomeOfUser.run(call, { userId, limit }),
    });
  },
});
export default plugin;
