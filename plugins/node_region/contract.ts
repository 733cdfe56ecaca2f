import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NodeRegionSchema } from "edgehelm/proto/models/node_pb.js";
import type { NamedRow, Nested, Summaries } from "edgehelm/rows";

/** The properties of a region that other plugins use. */
export type NodeRegionSummary = NamedRow;

/** The price of one price item in a region. */
export interface NodeRegionPrice {
  readonly nodeRegionId: bigint;
  readonly nodePriceItemId: bigint;
  /** The price per gigabit, in millionths of the currency. */
  readonly price: bigint;
}

/** A region, as other objects contain it. */
export type NestedNodeRegion = MessageInitShape<typeof NodeRegionSchema> & { readonly id: bigint };

/** The contract through which other plugins use regions. */
export interface NodeRegions extends Summaries<NodeRegionSummary>, Nested<NestedNodeRegion> {
  /**
   * Checks that the region exists.
   *
   * @throws an `invalid` error that names `field` if it does not
   */
  requireRegion(call: Call, field: string, regionId: bigint): Promise<void>;
  /** Returns the prices of all regions, including deleted ones, which may have had traffic in the billing period. */
  prices(call: Call): Promise<readonly NodeRegionPrice[]>;
}
export const NodeRegions: Contract<NodeRegions> = defineContract("node_region");

/** The extension point at which plugins report references to regions. */
export const NodeRegionUses: Uses = defineUses("node_region");
