import { type Contract, defineContract, defineUses, type References, type Uses } from "edgehelm";
import type { TrafficPackage } from "./proto/service_traffic_package_pb.ts";

/** Gives other plugins access to traffic packages. */
export type TrafficPackages = References<Pick<TrafficPackage, "id" | "size" | "unit" | "bytes" | "isOn">>;
export const TrafficPackages: Contract<TrafficPackages> = defineContract("traffic_package");

/** The extension point for plugins that use packages. */
export const TrafficPackageUses: Uses = defineUses("traffic_package");
