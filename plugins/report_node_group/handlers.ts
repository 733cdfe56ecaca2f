import { type Handlers, idField, textField, type UseCheck } from "edgehelm";
import { findRow, refuseWhenUsed } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { ReportNodeGroupService } from "./proto/service_report_node_group_pb.ts";
import type { ReportNodeGroupRow, ReportNodeGroupStore } from "./store.ts";

export function reportNodeGroupHandlers(
  groups: ReportNodeGroupStore,
  uses: readonly UseCheck[],
): Handlers<typeof ReportNodeGroupService> {
  return {
    async createReportNodeGroup({ name }, call) {
      const { id } = await groups.insert.one(call, { name: textField("name", name, { min: 1 }) });
      return { reportNodeGroupId: id };
    },

    async updateReportNodeGroup({ reportNodeGroupId, name }, call) {
      const id = idField("reportNodeGroupId", reportNodeGroupId);
      const changes = await groups.rename.run(call, { id, name: textField("name", name, { min: 1 }) });
      if (changes === 0n) throw errors.not_found(id);
      return {};
    },

    async deleteReportNodeGroup({ reportNodeGroupId }, call) {
      const id = idField("reportNodeGroupId", reportNodeGroupId);
      await refuseWhenUsed(call, id, uses, (users) => errors.in_use(id, users));
      if (await groups.remove.run(call, { id }) === 0n) throw errors.not_found(id);
      return {};
    },

    async findAllEnabledReportNodeGroups(_request, call) {
      return { reportNodeGroups: (await groups.all.all(call, {})).map(groupMessage) };
    },

    findEnabledReportNodeGroup: findRow(groups, "reportNodeGroupId", "reportNodeGroup", groupMessage),

    countAllEnabledReportNodeGroups: (_request, call) => groups.count.one(call, {}),
  };
}

export function groupMessage({ id, name, isOn }: ReportNodeGroupRow) {
  return { id, name, isOn: isOn === 1n };
}
