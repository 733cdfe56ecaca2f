import * as createACMEProviderAccounts from "./0001_create_acme_provider_accounts.ts";

export const migrations = {
  "0001_create_acme_provider_accounts": createACMEProviderAccounts,
};
