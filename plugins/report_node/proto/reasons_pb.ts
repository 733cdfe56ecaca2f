// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/ReportNodeService/countAllEnabledReportNodes": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.not_found"],
  "/ReportNodeService/countAllReportNodeTasks": ["kernel.invalid_field","node.not_found","node_ip_address.not_found"],
  "/ReportNodeService/createReportNode": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.not_found"],
  "/ReportNodeService/deleteReportNode": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.not_found"],
  "/ReportNodeService/findCurrentReportNodeConfig": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.address_refused","report_node.not_found"],
  "/ReportNodeService/findEnabledReportNode": ["kernel.invalid_field","kernel.other_owner","kernel.shared","node.not_found","node_cluster.not_found","node_ip_address.not_found","ns_cluster.not_found","ns_key.not_found","ns_route.not_found","report_node.address_refused","report_node.not_found"],
  "/ReportNodeService/findLatestReportNodeVersion": ["kernel.unavailable"],
  "/ReportNodeService/findReportNodeTasks": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.address_refused","report_node.not_found"],
  "/ReportNodeService/listEnabledReportNodes": ["kernel.invalid_field","kernel.other_owner","kernel.shared","node.not_found","node_cluster.not_found","node_ip_address.not_found","ns_cluster.not_found","ns_key.not_found","ns_route.not_found","report_node.address_refused","report_node.not_found"],
  "/ReportNodeService/listReportNodeTasks": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found"],
  "/ReportNodeService/readReportNodeGlobalSetting": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.not_found"],
  "/ReportNodeService/reportNodeStream": ["kernel.invalid_field","kernel.other_owner","kernel.shared","node.not_found","node_cluster.not_found","node_ip_address.not_found","ns_cluster.not_found","ns_key.not_found","ns_route.not_found","report_node.address_refused","report_node.not_found"],
  "/ReportNodeService/updateReportNode": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.not_found"],
  "/ReportNodeService/updateReportNodeGlobalSetting": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.not_found"],
  "/ReportNodeService/updateReportNodeStatus": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","report_node.address_refused","report_node.not_found"],
};
