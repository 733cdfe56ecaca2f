// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/AdminService/checkAdminExists": ["admin.not_found","kernel.invalid_field"],
  "/AdminService/checkAdminOTPWithUsername": ["admin.not_found","kernel.invalid_field","kernel.too_many_attempts"],
  "/AdminService/checkAdminUsername": ["admin.not_found","kernel.invalid_field"],
  "/AdminService/composeAdminDashboard": ["api_node.not_found","kernel.invalid_field","node_cluster.not_found"],
  "/AdminService/countAllEnabledAdmins": ["admin.not_found","kernel.invalid_field"],
  "/AdminService/createAdmin": ["admin.not_found","admin.username_taken","kernel.invalid_field"],
  "/AdminService/createOrUpdateAdmin": ["admin.not_found","admin.username_taken","kernel.invalid_field"],
  "/AdminService/deleteAdmin": ["admin.last_super","admin.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","user_access_key.not_found"],
  "/AdminService/findAdminFullname": ["admin.not_found","kernel.invalid_field"],
  "/AdminService/findAdminWithUsername": ["admin.not_found","kernel.invalid_field","kernel.too_many_attempts"],
  "/AdminService/findAllAdminModules": ["admin.not_found","kernel.invalid_field"],
  "/AdminService/findEnabledAdmin": ["admin.not_found","kernel.invalid_field","kernel.module_required","kernel.too_many_attempts"],
  "/AdminService/listEnabledAdmins": ["admin.not_found","kernel.invalid_field"],
  "/AdminService/loginAdmin": ["admin.not_found","kernel.invalid_field","kernel.too_many_attempts"],
  "/AdminService/updateAdmin": ["admin.last_super","admin.not_found","admin.username_taken","kernel.invalid_field"],
  "/AdminService/updateAdminInfo": ["admin.not_found","kernel.invalid_field","kernel.super_required"],
  "/AdminService/updateAdminLang": ["admin.not_found","kernel.invalid_field"],
  "/AdminService/updateAdminLogin": ["admin.not_found","admin.username_taken","kernel.invalid_field","kernel.super_required"],
  "/AdminService/updateAdminTheme": ["admin.not_found","kernel.invalid_field","kernel.super_required"],
};
