import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A region as it stands beside nodes and prices. */
export interface NodeRegionSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** What other plugins may ask of regions. */
export interface NodeRegions {
  /** Regions that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, regionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NodeRegionSummary>>;
  /** Refuses, naming `field`, unless the region exists. */
  requireRegion(call: Call, field: string, regionId: bigint): Promise<void>;
}
export const NodeRegions: Contract<NodeRegions> = defineContract("node_region");

/** Where plugins say what uses a region. */
export const NodeRegionUses: ExtensionPoint<UseCheck> = defineExtensionPoint("node_region.uses");
