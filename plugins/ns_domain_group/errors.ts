import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("ns_domain_group", "domain group");
