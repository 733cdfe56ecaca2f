import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("ns_cluster", "DNS cluster");
