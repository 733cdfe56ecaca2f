// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/TrafficPackageService/createTrafficPackage": ["kernel.invalid_field","traffic_package.exists","traffic_package.not_found"],
  "/TrafficPackageService/deleteTrafficPackage": ["kernel.invalid_field","traffic_package.in_use","traffic_package.not_found"],
  "/TrafficPackageService/findAllAvailableTrafficPackages": ["kernel.invalid_field","traffic_package.not_found"],
  "/TrafficPackageService/findAllTrafficPackages": ["kernel.invalid_field","traffic_package.not_found"],
  "/TrafficPackageService/findTrafficPackage": ["kernel.invalid_field","traffic_package.not_found"],
  "/TrafficPackageService/updateTrafficPackage": ["kernel.invalid_field","traffic_package.not_found"],
};
