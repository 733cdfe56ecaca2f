// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NSRouteService/countAllNSRoutes": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_route.not_found"],
  "/NSRouteService/createNSRoute": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_cluster.not_found","ns_domain.not_found","ns_route.not_found","user.unknown"],
  "/NSRouteService/deleteNSRoute": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_route.in_use","ns_route.not_found"],
  "/NSRouteService/findAllAgentNSRoutes": [],
  "/NSRouteService/findAllDefaultChinaProvinceRoutes": [],
  "/NSRouteService/findAllDefaultISPRoutes": [],
  "/NSRouteService/findAllDefaultWorldRegionRoutes": [],
  "/NSRouteService/findAllNSRoutes": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_cluster.not_found","ns_route.not_found"],
  "/NSRouteService/findAllPublicNSRoutes": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_cluster.not_found","ns_route.not_found"],
  "/NSRouteService/findNSRoute": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_cluster.not_found","ns_route.not_found"],
  "/NSRouteService/listNSRoutesAfterVersion": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_node.not_found","ns_route.not_found"],
  "/NSRouteService/updateNSRoute": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_route.not_found"],
  "/NSRouteService/updateNSRouteOrders": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ns_route.not_found"],
};
