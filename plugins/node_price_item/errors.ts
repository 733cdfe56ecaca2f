import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("node_price_item", "price item");
