import { type Handlers, textField, type UseCheck } from "edgehelm";
import { ReportNodeGroupSchema } from "edgehelm/proto/models/report_node_group_pb.js";
import { countRows, deleteRow, findRow, listRows, rowMessage, updateRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { ReportNodeGroupService } from "./proto/service_report_node_group_pb.ts";
import type { ReportNodeGroupStore } from "./store.ts";

export const groupMessage = rowMessage(ReportNodeGroupSchema, ["id", "name", "isOn"]);

export function reportNodeGroupHandlers(
  groups: ReportNodeGroupStore,
  uses: readonly UseCheck[],
): Handlers<typeof ReportNodeGroupService> {
  return {
    async createReportNodeGroup({ name }, call) {
      const { id } = await groups.insert.one(call, { name: textField("name", name, { min: 1 }) });
      return { reportNodeGroupId: id };
    },
    updateReportNodeGroup: updateRow(groups, "reportNodeGroupId", groups.update, ({ name }) => {
      return { name: textField("name", name, { min: 1 }) };
    }),
    deleteReportNodeGroup: deleteRow(groups, "reportNodeGroupId", { uses, inUse: errors.in_use }),
    findEnabledReportNodeGroup: findRow(groups, "reportNodeGroupId", "reportNodeGroup", groupMessage),
    findAllEnabledReportNodeGroups: listRows(groups.list, "reportNodeGroups", groupMessage, () => ({})),
    countAllEnabledReportNodeGroups: countRows(groups.list, () => ({})),
  };
}
