import { type Contract, defineContract, defineUses, type References, type Uses } from "edgehelm";
import type { NamedRow } from "edgehelm/rows";

/** Gives other plugins access to groups of report nodes. */
export type ReportNodeGroups = References<NamedRow>;
export const ReportNodeGroups: Contract<ReportNodeGroups> = defineContract("report_node_group");

/** The extension point for plugins that use groups. */
export const ReportNodeGroupUses: Uses = defineUses("report_node_group");
