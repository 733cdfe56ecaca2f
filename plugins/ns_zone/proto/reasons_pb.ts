// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NSZoneService/compareNSFeedVersions": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_key.not_found","ns_node.not_found","ns_route.not_found"],
  "/NSZoneService/listNSZoneChanges": ["kernel.invalid_field","ns_cluster.not_found","ns_node.not_found"],
  "/NSZoneService/listNSZonesAfterVersion": ["kernel.invalid_field","ns_node.not_found"],
};
