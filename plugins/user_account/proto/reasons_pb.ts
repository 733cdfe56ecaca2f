// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserAccountLogService/countUserAccountLogs": ["kernel.invalid_field","user_account.too_many_matches"],
  "/UserAccountLogService/listUserAccountLogs": ["kernel.invalid_field","user_account.too_many_matches"],
  "/UserAccountService/countUserAccounts": ["kernel.invalid_field","user_account.too_many_matches"],
  "/UserAccountService/findEnabledUserAccount": ["kernel.invalid_field","user_account.too_many_matches"],
  "/UserAccountService/findEnabledUserAccountWithUserId": ["kernel.invalid_field","user_account.too_many_matches"],
  "/UserAccountService/listUserAccounts": ["kernel.invalid_field","user_account.too_many_matches"],
  "/UserAccountService/updateUserAccount": ["kernel.invalid_field","user.unknown","user_account.insufficient","user_account.not_found","user_account.too_many_matches","user_account.too_much"],
};
