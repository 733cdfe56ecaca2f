// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.UserQuotaSettings": "UserQuotaSettings 是安装清单中 user_quota 的 `config` 的值。",
  "edgehelm.config.UserQuotaSettings.limits": "用户的配额上限，以名称为键，适用于未由套餐另行设置的用户；0 表示不限制。未列出的配额保持默认值。",
};
