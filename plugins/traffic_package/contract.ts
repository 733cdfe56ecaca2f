import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A summary of a package. */
export interface TrafficPackageSummary {
  readonly id: bigint;
  readonly size: number;
  readonly unit: string;
  readonly bytes: bigint;
  readonly isOn: boolean;
}

/** Gives other plugins access to traffic packages. */
export interface TrafficPackages {
  /** Returns the packages that exist and are not deleted, by id. */
  summaries(call: Call, packageIds: readonly bigint[]): Promise<ReadonlyMap<bigint, TrafficPackageSummary>>;
  /** Refuses, with an error that names `field`, a package that does not exist. */
  requirePackage(call: Call, field: string, packageId: bigint): Promise<void>;
}
export const TrafficPackages: Contract<TrafficPackages> = defineContract("traffic_package");

/** The extension point for plugins that use packages. */
export const TrafficPackageUses: ExtensionPoint<UseCheck> = defineExtensionPoint("traffic_package.uses");
