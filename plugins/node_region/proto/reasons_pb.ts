// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NodeRegionService/createNodeRegion": ["kernel.invalid_field","node_region.not_found"],
  "/NodeRegionService/deleteNodeRegion": ["kernel.invalid_field","node_region.in_use","node_region.not_found"],
  "/NodeRegionService/findAllAvailableNodeRegions": ["kernel.invalid_field","node_region.not_found"],
  "/NodeRegionService/findAllEnabledNodeRegions": ["kernel.invalid_field","node_region.not_found"],
  "/NodeRegionService/findEnabledNodeRegion": ["kernel.invalid_field","node_region.not_found"],
  "/NodeRegionService/updateNodeRegion": ["kernel.invalid_field","node_region.not_found"],
  "/NodeRegionService/updateNodeRegionOrders": ["kernel.invalid_field","node_region.not_found"],
  "/NodeRegionService/updateNodeRegionPrice": ["kernel.invalid_field","node_region.not_found"],
};
