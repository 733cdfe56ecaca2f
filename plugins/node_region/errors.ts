import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("node_region", "region");
