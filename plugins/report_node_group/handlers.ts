import { type Handlers, textField, type UseCheck } from "edgehelm";
import { ReportNodeGroupSchema } from "edgehelm/proto/models/report_node_group_pb.js";
import { countRows, createRow, deleteRow, findRow, listRows, rowMessage, updateRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { ReportNodeGroupService } from "./proto/service_report_node_group_pb.ts";
import type { ReportNodeGroupStore } from "./store.ts";

export const groupMessage = rowMessage(ReportNodeGroupSchema, ["id", "name", "isOn"]);

const nameOf = ({ name }: { readonly name: string }) => ({ name: textField("name", name, { min: 1 }) });

export function reportNodeGroupHandlers(
  groups: ReportNodeGroupStore,
  uses: readonly UseCheck[],
): Handlers<typeof ReportNodeGroupService> {
  return {
    createReportNodeGroup: createRow("reportNodeGroupId", groups.insert, nameOf),
    updateReportNodeGroup: updateRow(groups, "reportNodeGroupId", groups.update, nameOf),
    deleteReportNodeGroup: deleteRow(groups, "reportNodeGroupId", { uses, inUse: errors.in_use }),
    findEnabledReportNodeGroup: findRow(groups, "reportNodeGroupId", "reportNodeGroup", groupMessage),
    findAllEnabledReportNodeGroups: listRows(groups.list, "reportNodeGroups", groupMessage, () => ({})),
    countAllEnabledReportNodeGroups: countRows(groups.list, () => ({})),
  };
}
