import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";
import type { NamedRow, Summaries } from "edgehelm/rows";

/** A summary of a group, as shown with a report node. */
export type ReportNodeGroupSummary = NamedRow;

/** Gives other plugins access to groups of report nodes. */
export interface ReportNodeGroups extends Summaries<ReportNodeGroupSummary> {
  /** Refuses, with an error that names `field`, a group that does not exist. */
  requireGroups(call: Call, field: string, groupIds: readonly bigint[]): Promise<void>;
}
export const ReportNodeGroups: Contract<ReportNodeGroups> = defineContract("report_node_group");

/** The extension point for plugins that use groups. */
export const ReportNodeGroupUses: Uses = defineUses("report_node_group");
