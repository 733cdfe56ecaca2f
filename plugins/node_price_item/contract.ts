import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";

/** A traffic range with its own price. */
export interface NodePriceTier {
  readonly id: bigint;
  /** The start of the range in bits, inclusive. */
  readonly bitsFrom: bigint;
  /** The end of the range in bits, exclusive; 0 means unbounded. */
  readonly bitsTo: bigint;
}

/** The contract through which other plugins use price items. */
export interface NodePriceItems {
  /**
   * Checks that the price item exists.
   *
   * @throws an `invalid` error that names `field` if it does not
   */
  requirePriceItem(call: Call, field: string, priceItemId: bigint): Promise<void>;
  /** Returns the traffic ranges that are on, highest start first. The first one that contains an amount applies. */
  trafficTiers(call: Call): Promise<readonly NodePriceTier[]>;
}
export const NodePriceItems: Contract<NodePriceItems> = defineContract("node_price_item");

/** The extension point at which plugins report references to price items. */
export const NodePriceItemUses: Uses = defineUses("node_price_item");
