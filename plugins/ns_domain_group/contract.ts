import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";
import type { Summaries } from "edgehelm/rows";

/** The properties of a group that other plugins use. */
export interface NSDomainGroupSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  readonly userId: bigint;
}

/** The contract through which other plugins use domain groups. */
export interface NSDomainGroups extends Summaries<NSDomainGroupSummary> {
  /**
   * Checks that every group exists and belongs to the user.
   *
   * @throws an `invalid` error that names `field` if one does not
   */
  requireGroups(call: Call, field: string, groupIds: readonly bigint[], userId: bigint): Promise<void>;
}
export const NSDomainGroups: Contract<NSDomainGroups> = defineContract("ns_domain_group");

/** The extension point at which plugins report references to groups. */
export const NSDomainGroupUses: Uses = defineUses("ns_domain_group");
