// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/ACMEUserService/changeACMEUserKey": ["acme_provider_account.not_found","acme_user.not_found","acme_user.refused","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEUserService/countACMEUsers": ["acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEUserService/createACMEUser": ["acme_provider_account.not_found","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","user.unknown"],
  "/ACMEUserService/deleteACMEUser": ["acme_user.in_use","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEUserService/findAllACMEUsers": ["acme_provider_account.not_found","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEUserService/findEnabledACMEUser": ["acme_provider_account.not_found","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEUserService/listACMEUsers": ["acme_provider_account.not_found","acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEUserService/updateACMEUser": ["acme_user.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
};
