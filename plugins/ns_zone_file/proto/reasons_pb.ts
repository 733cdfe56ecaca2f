// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NSZoneFileService/exportNSZoneFile": ["kernel.invalid_field","ns_cluster.not_found","ns_domain.not_found","ns_zone_file.domain_too_large"],
  "/NSZoneFileService/importNSZoneFile": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_cluster.not_found","ns_domain.not_found","ns_node.not_found","ns_record.beside_cname","ns_record.beside_others","ns_record.duplicate","ns_record.second_soa","ns_record.too_many","ns_route.not_found","ns_route.unknown_code","ns_zone_file.too_many_records","plan.not_found"],
};
