import * as createReportNodes from "./0001_create_report_nodes.ts";

export const migrations = {
  "0001_create_report_nodes": createReportNodes,
};
