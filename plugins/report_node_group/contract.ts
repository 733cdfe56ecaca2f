import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A group as it stands beside a report node. */
export interface ReportNodeGroupSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** What other plugins may ask of groups of report nodes. */
export interface ReportNodeGroups {
  /** Groups that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, groupIds: readonly bigint[]): Promise<ReadonlyMap<bigint, ReportNodeGroupSummary>>;
  /** Refuses, naming `field`, unless every group exists. */
  requireGroups(call: Call, field: string, groupIds: readonly bigint[]): Promise<void>;
}
export const ReportNodeGroups: Contract<ReportNodeGroups> = defineContract("report_node_group");

/** Where plugins say what uses a group. */
export const ReportNodeGroupUses: ExtensionPoint<UseCheck> = defineExtensionPoint("report_node_group.uses");
