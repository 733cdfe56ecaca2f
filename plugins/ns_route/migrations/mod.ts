import * as createNSRoutes from "./0001_create_ns_routes.ts";

export const migrations = {
  "0001_create_ns_routes": createNSRoutes,
};
