import { definePlugin, type Plugin } from "edgehelm";
import { ReportNodeGroups, ReportNodeGroupUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { groupMessage, reportNodeGroupHandlers } from "./handlers.ts";
import * as createReportNodeGroups from "./migrations/0001_create_report_node_groups.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ReportNodeGroupService } from "./proto/service_report_node_group_pb.ts";
import { reportNodeGroupStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_report_node_groups": createReportNodeGroups },
  setup({ db, serve, provide, contributions }) {
    const groups = reportNodeGroupStore(db<Tables>());
    serve(ReportNodeGroupService, reportNodeGroupHandlers(groups, contributions(ReportNodeGroupUses)));
    provide(ReportNodeGroups, groups.references(groupMessage));
  },
});
export default plugin;
