// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.AccessLogClickHouseConfig": "AccessLogClickHouseConfig 是插件 access_log_clickhouse 的配置。",
  "edgehelm.config.AccessLogClickHouseConfig.database": "数据库，必须已存在；默认为 \"default\"。",
  "edgehelm.config.AccessLogClickHouseConfig.password": "密码，以引用形式给出，例如 \"env:CLICKHOUSE_PASSWORD\" 或 \"file:/path\"；为空表示没有密码。",
  "edgehelm.config.AccessLogClickHouseConfig.url": "服务器的地址，例如 \"http://127.0.0.1:8123\"；如果 http_access_log 使用该存储则必填。",
  "edgehelm.config.AccessLogClickHouseConfig.username": "用户；默认为 \"default\"。",
};
