// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NodePriceItemService/createNodePriceItem": ["kernel.invalid_field","node_price_item.not_found"],
  "/NodePriceItemService/deleteNodePriceItem": ["kernel.invalid_field","node_price_item.in_use","node_price_item.not_found"],
  "/NodePriceItemService/findAllAvailableNodePriceItems": ["kernel.invalid_field","node_price_item.not_found"],
  "/NodePriceItemService/findAllEnabledNodePriceItems": ["kernel.invalid_field","node_price_item.not_found"],
  "/NodePriceItemService/findEnabledNodePriceItem": ["kernel.invalid_field","node_price_item.not_found"],
  "/NodePriceItemService/updateNodePriceItem": ["kernel.invalid_field","node_price_item.not_found"],
};
