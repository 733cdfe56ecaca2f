import * as createUserAccounts from "./0001_create_user_accounts.ts";

export const migrations = {
  "0001_create_user_accounts": createUserAccounts,
};
