import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";
import type { NSDomainGroup } from "edgehelm/proto/models/ns_domain_group_pb.js";
import type { Summaries } from "edgehelm/rows";

/** The properties of a group that other plugins use. */
export type NSDomainGroupSummary = Pick<NSDomainGroup, "id" | "name" | "isOn" | "userId">;

/** The contract through which other plugins use domain groups. */
export interface NSDomainGroups extends Summaries<NSDomainGroupSummary> {
  /** Refuses, with an error that names `field`, a group that does not exist or belongs to another user. */
  requireGroups(call: Call, field: string, groupIds: readonly bigint[], userId: bigint): Promise<void>;
}
export const NSDomainGroups: Contract<NSDomainGroups> = defineContract("ns_domain_group");

/** The extension point at which plugins report references to groups. */
export const NSDomainGroupUses: Uses = defineUses("ns_domain_group");
