// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/ReportResultService/countAllReportResults": ["kernel.invalid_field"],
  "/ReportResultService/findAllReportResults": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.not_found"],
  "/ReportResultService/findReportResultRegions": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.not_found"],
  "/ReportResultService/listReportResults": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.not_found"],
  "/ReportResultService/updateReportResults": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.address_refused","report_node.not_found"],
};
