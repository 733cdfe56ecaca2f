// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/APIAccessTokenService/getAPIAccessToken": ["access_token.refused","admin.not_found","kernel.invalid_field","kernel.too_many_attempts","node.not_found"],
};
