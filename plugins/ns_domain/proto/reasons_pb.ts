// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NSDomainService/countAllNSDomains": ["kernel.invalid_field"],
  "/NSDomainService/createNSDomain": ["kernel.invalid_field","ns_cluster.not_found","ns_domain.name_forbidden","ns_domain.name_taken","ns_domain.not_found","ns_domain.verified_elsewhere","ns_domain_group.not_found","plan.not_found","user.unknown"],
  "/NSDomainService/createNSDomains": ["kernel.invalid_field","ns_cluster.not_found","ns_domain.name_forbidden","ns_domain.name_taken","ns_domain.not_found","ns_domain.verified_elsewhere","ns_domain_group.not_found","plan.not_found","user.unknown"],
  "/NSDomainService/deleteNSDomain": ["kernel.invalid_field","ns_domain.not_found"],
  "/NSDomainService/deleteNSDomains": ["kernel.invalid_field","ns_domain.name_not_found","ns_domain.not_found"],
  "/NSDomainService/existNSDomains": ["kernel.invalid_field"],
  "/NSDomainService/existVerifiedNSDomains": ["kernel.invalid_field"],
  "/NSDomainService/findNSDomain": ["kernel.invalid_field","ns_cluster.not_found"],
  "/NSDomainService/findNSDomainRecordsHealthCheck": [],
  "/NSDomainService/findNSDomainTSIG": [],
  "/NSDomainService/findNSDomainVerifyingInfo": ["kernel.invalid_field","kernel.unavailable","ns_domain.not_found"],
  "/NSDomainService/findNSDomainWithName": ["kernel.invalid_field","ns_cluster.not_found"],
  "/NSDomainService/findVerifiedNSDomainOnCluster": ["kernel.invalid_field","ns_cluster.not_found"],
  "/NSDomainService/listNSDomains": ["kernel.invalid_field","ns_cluster.not_found"],
  "/NSDomainService/listNSDomainsAfterVersion": ["kernel.invalid_field","ns_node.not_found"],
  "/NSDomainService/updateNSDomain": ["kernel.invalid_field","ns_cluster.not_found","ns_domain.name_taken","ns_domain.not_found","ns_domain.off_by_admin","ns_domain.verified_elsewhere","ns_domain_group.not_found","user.unknown"],
  "/NSDomainService/updateNSDomainRecordsHealthCheck": ["kernel.invalid_field","ns_domain.not_found"],
  "/NSDomainService/updateNSDomainStatus": ["kernel.invalid_field","ns_domain.name_taken","ns_domain.not_found","ns_domain.verified_elsewhere"],
  "/NSDomainService/updateNSDomainTSIG": ["kernel.invalid_field","ns_domain.not_found"],
  "/NSDomainService/verifyNSDomain": ["kernel.invalid_field","kernel.unavailable","ns_cluster.not_found","ns_domain.not_found"],
};
