// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.AccessLogClickHouseConfig": "AccessLogClickHouseConfig is the configuration of the plugin access_log_clickhouse.",
  "edgehelm.config.AccessLogClickHouseConfig.database": "The database, which must exist; the default is \"default\".",
  "edgehelm.config.AccessLogClickHouseConfig.password": "The password, as a reference such as \"env:CLICKHOUSE_PASSWORD\" or \"file:/path\"; empty means no password.",
  "edgehelm.config.AccessLogClickHouseConfig.url": "The address of the server, such as \"http://127.0.0.1:8123\"; required if http_access_log uses the store.",
  "edgehelm.config.AccessLogClickHouseConfig.username": "The user; the default is \"default\".",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
