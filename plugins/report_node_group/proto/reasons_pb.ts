// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/ReportNodeGroupService/countAllEnabledReportNodeGroups": ["kernel.invalid_field","report_node_group.not_found"],
  "/ReportNodeGroupService/createReportNodeGroup": ["kernel.invalid_field","report_node_group.not_found"],
  "/ReportNodeGroupService/deleteReportNodeGroup": ["kernel.invalid_field","report_node_group.in_use","report_node_group.not_found"],
  "/ReportNodeGroupService/findAllEnabledReportNodeGroups": ["kernel.invalid_field","report_node_group.not_found"],
  "/ReportNodeGroupService/findEnabledReportNodeGroup": ["kernel.invalid_field","report_node_group.not_found"],
  "/ReportNodeGroupService/updateReportNodeGroup": ["kernel.invalid_field","report_node_group.not_found"],
};
