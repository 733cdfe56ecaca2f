// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserTrafficPackageService/buyUserTrafficPackage": ["kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","user.not_found","user.state_forbids","user.unknown","user_account.insufficient","user_account.too_much","user_traffic_package.not_found","user_traffic_package.not_sold","user_traffic_package.off"],
  "/UserTrafficPackageService/countUserTrafficPackages": ["kernel.invalid_field"],
  "/UserTrafficPackageService/createUserTrafficPackage": ["kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","user.unknown","user_traffic_package.not_found"],
  "/UserTrafficPackageService/deleteUserTrafficPackage": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_traffic_package.not_found","user_traffic_package.usable"],
  "/UserTrafficPackageService/listUserTrafficPackages": ["kernel.invalid_field","kernel.other_owner","kernel.shared","node_region.not_found","user_traffic_package.not_found"],
};
