import * as createReportNodes from "./0001_create_report_nodes.ts";
import * as createReportNodeNotices from "./0002_create_report_node_notices.ts";
import * as actOnBrokenAddresses from "./0003_act_on_broken_addresses.ts";

export const migrations = {
  "0001_create_report_nodes": createReportNodes,
  "0002_create_report_node_notices": createReportNodeNotices,
  "0003_act_on_broken_addresses": actOnBrokenAddresses,
};
