// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NSKeyService/countAllNSKeys": ["kernel.invalid_field","ns_key.not_found"],
  "/NSKeyService/createNSKey": ["kernel.invalid_field","ns_domain.not_found","ns_key.name_taken","ns_key.not_found"],
  "/NSKeyService/deleteNSKey": ["kernel.invalid_field","ns_key.not_found"],
  "/NSKeyService/findNSKey": ["kernel.invalid_field","ns_key.not_found"],
  "/NSKeyService/listNSKeys": ["kernel.invalid_field","ns_key.not_found"],
  "/NSKeyService/listNSKeysAfterVersion": ["kernel.invalid_field","ns_key.not_found","ns_node.not_found"],
  "/NSKeyService/updateNSKey": ["kernel.invalid_field","ns_key.changed","ns_key.name_taken","ns_key.not_found"],
};
