import * as createReportNodeGroups from "./0001_create_report_node_groups.ts";

export const migrations = {
  "0001_create_report_node_groups": createReportNodeGroups,
};
