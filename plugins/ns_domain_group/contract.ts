import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A group as it stands beside a domain. */
export interface NSDomainGroupSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  readonly userId: bigint;
}

/** What other plugins may ask of domain groups. */
export interface NSDomainGroups {
  /** Groups that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, groupIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NSDomainGroupSummary>>;
  /** Refuses, naming `field`, unless every group exists and belongs to the user. */
  requireGroups(call: Call, field: string, groupIds: readonly bigint[], userId: bigint): Promise<void>;
}
export const NSDomainGroups: Contract<NSDomainGroups> = defineContract("ns_domain_group");

/** Where plugins say what uses a group. */
export const NSDomainGroupUses: ExtensionPoint<UseCheck> = defineExtensionPoint("ns_domain_group.uses");
