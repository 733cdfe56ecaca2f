// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserAccountLogService/countUserAccountLogs": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_account.too_many_matches","user_bill.not_found"],
  "/UserAccountLogService/listUserAccountLogs": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_account.too_many_matches","user_bill.not_found"],
  "/UserAccountService/countUserAccounts": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_account.too_many_matches","user_bill.not_found"],
  "/UserAccountService/findEnabledUserAccount": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_account.too_many_matches","user_bill.not_found"],
  "/UserAccountService/findEnabledUserAccountWithUserId": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_account.too_many_matches","user_bill.not_found"],
  "/UserAccountService/listUserAccounts": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_account.too_many_matches","user_bill.not_found"],
  "/UserAccountService/updateUserAccount": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user.unknown","user_account.insufficient","user_account.not_found","user_account.too_many_matches","user_account.too_much","user_bill.not_found"],
};
