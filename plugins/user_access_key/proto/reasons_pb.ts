// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserAccessKeyService/countAllEnabledUserAccessKeys": ["admin.not_found","admin.username_taken","kernel.invalid_field","kernel.module_required","kernel.other_owner","kernel.shared","kernel.super_required","user_access_key.not_found"],
  "/UserAccessKeyService/createUserAccessKey": ["admin.not_found","admin.username_taken","kernel.invalid_field","kernel.module_required","kernel.other_owner","kernel.shared","kernel.super_required","plan.not_found","user_access_key.admin_missing","user_access_key.no_owner","user_access_key.not_found","user_access_key.restricted","user_access_key.user_missing"],
  "/UserAccessKeyService/deleteUserAccessKey": ["admin.not_found","admin.username_taken","kernel.invalid_field","kernel.module_required","kernel.other_owner","kernel.shared","kernel.super_required","node.not_found","user_access_key.not_found"],
  "/UserAccessKeyService/findAllEnabledUserAccessKeys": ["admin.not_found","admin.username_taken","kernel.invalid_field","kernel.module_required","kernel.other_owner","kernel.shared","kernel.super_required","user_access_key.not_found"],
  "/UserAccessKeyService/updateUserAccessKeyIsOn": ["admin.not_found","admin.username_taken","kernel.invalid_field","kernel.module_required","kernel.other_owner","kernel.shared","kernel.super_required","node.not_found","user_access_key.not_found","user_access_key.restricted"],
};
