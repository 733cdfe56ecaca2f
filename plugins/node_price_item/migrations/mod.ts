import * as createNodePriceItems from "./0001_create_node_price_items.ts";

export const migrations = {
  "0001_create_node_price_items": createNodePriceItems,
};
