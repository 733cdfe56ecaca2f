// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NSDNSSECService/confirmNSDomainKSKRollover": ["kernel.invalid_field","kernel.unavailable","ns_dnssec.ds_absent","ns_dnssec.not_enabled","ns_dnssec.not_rolling","ns_domain.not_found"],
  "/NSDNSSECService/disableNSDomainDNSSEC": ["kernel.invalid_field","kernel.unavailable","ns_dnssec.disabling","ns_dnssec.ds_published","ns_dnssec.not_enabled","ns_domain.not_found"],
  "/NSDNSSECService/enableNSDomainDNSSEC": ["kernel.invalid_field","ns_dnssec.already_enabled","ns_domain.not_found"],
  "/NSDNSSECService/findNSDomainDNSSEC": ["kernel.invalid_field","ns_domain.not_found"],
  "/NSDNSSECService/listNSDNSSECKeysAfterVersion": ["kernel.invalid_field","ns_node.not_found"],
  "/NSDNSSECService/listNSDNSSECKeysOfDomains": ["kernel.invalid_field","ns_node.not_found"],
  "/NSDNSSECService/startNSDomainKSKRollover": ["kernel.invalid_field","ns_dnssec.disabling","ns_dnssec.not_enabled","ns_dnssec.rolling","ns_domain.not_found"],
};
