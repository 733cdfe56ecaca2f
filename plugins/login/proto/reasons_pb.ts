// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/LoginService/findEnabledLogin": ["admin.not_found","kernel.invalid_field","kernel.too_many_attempts","login.no_owner"],
  "/LoginService/updateLogin": ["admin.not_found","kernel.invalid_field","kernel.too_many_attempts","login.no_owner","login.owner_missing","login.secret_missing"],
};
