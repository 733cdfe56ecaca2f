import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("report_node_group", "report node group");
