// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/ACMEAuthenticationService/findACMEAuthenticationKeyWithToken": ["kernel.invalid_field","node.not_found"],
};
