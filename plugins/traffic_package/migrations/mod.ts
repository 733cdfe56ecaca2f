import * as createTrafficPackages from "./0001_create_traffic_packages.ts";

export const migrations = {
  "0001_create_traffic_packages": createTrafficPackages,
};
