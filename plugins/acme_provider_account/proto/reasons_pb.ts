// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/ACMEProviderAccountService/changeACMEProviderAccountKey": ["acme_provider_account.not_found","acme_provider_account.refused","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEProviderAccountService/countAllEnabledACMEProviderAccounts": ["acme_provider_account.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEProviderAccountService/createACMEProviderAccount": ["acme_provider_account.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEProviderAccountService/deleteACMEProviderAccount": ["acme_provider_account.in_use","acme_provider_account.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEProviderAccountService/findAllACMEProviderAccountsWithProviderCode": ["acme_provider_account.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEProviderAccountService/findEnabledACMEProviderAccount": ["acme_provider_account.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEProviderAccountService/listEnabledACMEProviderAccounts": ["acme_provider_account.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/ACMEProviderAccountService/updateACMEProviderAccount": ["acme_provider_account.not_found","acme_provider_account.refused","kernel.invalid_field","kernel.other_owner","kernel.shared"],
};
