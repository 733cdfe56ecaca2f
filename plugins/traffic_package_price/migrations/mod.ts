import * as createTrafficPackagePrices from "./0001_create_traffic_package_prices.ts";

export const migrations = {
  "0001_create_traffic_package_prices": createTrafficPackagePrices,
};
