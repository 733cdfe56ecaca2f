import * as createHTTPAccessLogs from "./0001_create_http_access_logs.ts";
import * as createHTTPAccessLogRemovals from "./0002_create_http_access_log_removals.ts";

export const migrations = {
  "0001_create_http_access_logs": createHTTPAccessLogs,
  "0002_create_http_access_log_removals": createHTTPAccessLogRemovals,
};
