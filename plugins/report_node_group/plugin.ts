import { definePlugin, invalid, type Plugin } from "edgehelm";
import { ReportNodeGroups, ReportNodeGroupUses } from "./contract.ts";
import { groupMessage, reportNodeGroupHandlers } from "./handlers.ts";
import * as createReportNodeGroups from "./migrations/0001_create_report_node_groups.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ReportNodeGroupService } from "./proto/service_report_node_group_pb.ts";
import { reportNodeGroupStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations: { "0001_create_report_node_groups": createReportNodeGroups },
  setup({ db, serve, provide, contributions }) {
    const groups = reportNodeGroupStore(db<Tables>());
    serve(ReportNodeGroupService, reportNodeGroupHandlers(groups, contributions(ReportNodeGroupUses)));
    provide(ReportNodeGroups, {
      async summaries(call, ids) {
        return new Map((await groups.byIds.all(call, { ids: [...ids] })).map((row) => [row.id, groupMessage(row)]));
      },
      async requireGroups(call, field, ids) {
        const found = await this.summaries(call, ids);
        const missing = ids.find((id) => !found.has(id));
        if (missing !== undefined) throw invalid(field, `report node group ${missing} does not exist`);
      },
    });
  },
});
export default plugin;
