// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.UserQuotaSettings": "UserQuotaSettings is the value of `config` for user_quota in the installation manifest.",
  "edgehelm.config.UserQuotaSettings.limits": "The maxima of quotas for users without a plan that sets another one, by name; 0 means no limit. Quotas that are not named keep their defaults.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
