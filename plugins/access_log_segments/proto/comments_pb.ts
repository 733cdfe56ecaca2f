// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.AccessLogSegmentsConfig": "AccessLogSegmentsConfig is the configuration of the plugin access_log_segments.",
  "edgehelm.config.AccessLogSegmentsConfig.directory": "The directory of the files, relative to the data directory; the default is \"access_logs\".",
  "edgehelm.config.AccessLogSegmentsConfig.minFreeBytes": "The bytes to leave free on the disk; below it the oldest day is deleted. The default is 1 GiB.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
