import * as createHTTPAccessLogs from "./0001_create_http_access_logs.ts";

export const migrations = {
  "0001_create_http_access_logs": createHTTPAccessLogs,
};
