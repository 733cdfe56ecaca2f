// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/TrafficPackagePeriodService/createTrafficPackagePeriod": ["kernel.invalid_field","traffic_package_period.exists","traffic_package_period.not_found"],
  "/TrafficPackagePeriodService/deleteTrafficPackagePeriod": ["kernel.invalid_field","traffic_package_period.in_use","traffic_package_period.not_found"],
  "/TrafficPackagePeriodService/findAllAvailableTrafficPackagePeriods": ["kernel.invalid_field","traffic_package_period.not_found"],
  "/TrafficPackagePeriodService/findAllTrafficPackagePeriods": ["kernel.invalid_field","traffic_package_period.not_found"],
  "/TrafficPackagePeriodService/findTrafficPackagePeriod": ["kernel.invalid_field","traffic_package_period.not_found"],
  "/TrafficPackagePeriodService/updateTrafficPackagePeriod": ["kernel.invalid_field","traffic_package_period.not_found"],
};
