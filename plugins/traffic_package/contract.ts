import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A package as it stands beside a price. */
export interface TrafficPackageSummary {
  readonly id: bigint;
  readonly size: number;
  readonly unit: string;
  readonly bytes: bigint;
  readonly isOn: boolean;
}

/** What other plugins may ask of traffic packages. */
export interface TrafficPackages {
  /** Packages that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, packageIds: readonly bigint[]): Promise<ReadonlyMap<bigint, TrafficPackageSummary>>;
  /** Refuses, naming `field`, unless the package exists. */
  requirePackage(call: Call, field: string, packageId: bigint): Promise<void>;
}
export const TrafficPackages: Contract<TrafficPackages> = defineContract("traffic_package");

/** Where plugins say what uses a package. */
export const TrafficPackageUses: ExtensionPoint<UseCheck> = defineExtensionPoint("traffic_package.uses");
