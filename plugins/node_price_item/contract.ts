import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A step of traffic that has a price of its own. */
export interface NodePriceTier {
  readonly id: bigint;
  /** From so many bits on. */
  readonly bitsFrom: bigint;
  /** Up to, but not including, so many bits; 0 has no end. */
  readonly bitsTo: bigint;
}

/** What other plugins may ask of price items. */
export interface NodePriceItems {
  /** Refuses, naming `field`, unless the price item exists. */
  requirePriceItem(call: Call, field: string, priceItemId: bigint): Promise<void>;
  /** The steps of traffic that are on, from the highest start down: the first that holds an amount gives its price. */
  trafficTiers(call: Call): Promise<readonly NodePriceTier[]>;
}
export const NodePriceItems: Contract<NodePriceItems> = defineContract("node_price_item");

/** Where plugins say what uses a price item. */
export const NodePriceItemUses: ExtensionPoint<UseCheck> = defineExtensionPoint("node_price_item.uses");
