// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.ConsoleConfig": "ConsoleConfig is the value of `config` for console in the installation manifest.",
  "edgehelm.config.ConsoleConfig.idleMinutes": "The minutes after which a session ends that is not used: 6 to 1440. 0, the default, means 30.",
  "edgehelm.config.ConsoleConfig.sessionHours": "The hours after which a session ends, however much it is used: 1 to 720. 0, the default, means 12.",
};
