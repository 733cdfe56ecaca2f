// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/HTTPAccessLogService/createHTTPAccessLogs": ["http_access_log.behind","http_access_log.invalid_request_id","http_access_log.too_fast","kernel.cancelled","kernel.invalid_field","kernel.other_owner","kernel.shared","node.not_found","user_plan.not_found"],
  "/HTTPAccessLogService/findHTTPAccessLog": ["http_access_log.invalid_request_id","kernel.invalid_field","kernel.other_owner","kernel.shared","node.not_found","node_cluster.not_found","user_plan.not_found"],
  "/HTTPAccessLogService/findHTTPAccessLogPartitions": ["kernel.invalid_field"],
  "/HTTPAccessLogService/listHTTPAccessLogs": ["http_access_log.invalid_request_id","kernel.invalid_field","kernel.other_owner","kernel.shared","node.not_found","node_cluster.not_found","server.not_found","user_plan.not_found"],
};
