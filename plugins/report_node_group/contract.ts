import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";

/** A summary of a group, as shown with a report node. */
export interface ReportNodeGroupSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** Gives other plugins access to groups of report nodes. */
export interface ReportNodeGroups {
  /** Returns the groups that exist and are not deleted, by id. */
  summaries(call: Call, groupIds: readonly bigint[]): Promise<ReadonlyMap<bigint, ReportNodeGroupSummary>>;
  /** Refuses, with an error that names `field`, a group that does not exist. */
  requireGroups(call: Call, field: string, groupIds: readonly bigint[]): Promise<void>;
}
export const ReportNodeGroups: Contract<ReportNodeGroups> = defineContract("report_node_group");

/** The extension point for plugins that use groups. */
export const ReportNodeGroupUses: Uses = defineUses("report_node_group");
