// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NSDomainGroupService/countAllAvailableNSDomainGroups": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain_group.not_found"],
  "/NSDomainGroupService/createNSDomainGroup": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain_group.not_found","plan.not_found","user.unknown"],
  "/NSDomainGroupService/deleteNSDomainGroup": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain_group.in_use","ns_domain_group.not_found"],
  "/NSDomainGroupService/findAllAvailableNSDomainGroups": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain_group.not_found"],
  "/NSDomainGroupService/findAllNSDomainGroups": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain_group.not_found"],
  "/NSDomainGroupService/findNSDomainGroup": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain_group.not_found"],
  "/NSDomainGroupService/updateNSDomainGroup": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_domain_group.not_found"],
};
