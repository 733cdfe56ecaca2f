// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/OriginService/createOrigin": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found","plan.not_found","ssl_cert.not_found"],
  "/OriginService/findEnabledOrigin": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found"],
  "/OriginService/findEnabledOriginConfig": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found"],
  "/OriginService/updateOrigin": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found","ssl_cert.not_found"],
  "/OriginService/updateOriginIsOn": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found"],
};
