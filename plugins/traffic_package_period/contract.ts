import { type Contract, defineContract, defineUses, type References, type Uses } from "edgehelm";
import type { TrafficPackagePeriod } from "./proto/service_traffic_package_period_pb.ts";

/** Gives other plugins access to the periods of traffic packages. */
export type TrafficPackagePeriods = References<
  Pick<TrafficPackagePeriod, "id" | "count" | "unit" | "months" | "isOn">
>;
export const TrafficPackagePeriods: Contract<TrafficPackagePeriods> = defineContract("traffic_package_period");

/** The extension point for plugins that use periods. */
export const TrafficPackagePeriodUses: Uses = defineUses("traffic_package_period");
