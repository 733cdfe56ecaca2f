// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.AccessLogSegmentsConfig": "AccessLogSegmentsConfig 是插件 access_log_segments 的配置。",
  "edgehelm.config.AccessLogSegmentsConfig.directory": "文件所在的目录，相对于数据目录；默认为 \"access_logs\"。",
  "edgehelm.config.AccessLogSegmentsConfig.minFreeBytes": "磁盘上要保留的空闲字节数；低于该值时删除最早一天的数据。默认为 1 GiB。",
};
