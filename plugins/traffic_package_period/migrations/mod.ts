import * as createTrafficPackagePeriods from "./0001_create_traffic_package_periods.ts";

export const migrations = {
  "0001_create_traffic_package_periods": createTrafficPackagePeriods,
};
