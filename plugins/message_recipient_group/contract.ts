import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A group as it stands beside a recipient. */
export interface MessageRecipientGroupSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** What other plugins may ask of groups of recipients. */
export interface MessageRecipientGroups {
  /** Groups that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, groupIds: readonly bigint[]): Promise<ReadonlyMap<bigint, MessageRecipientGroupSummary>>;
  /** Refuses, naming `field`, unless every group exists. */
  requireGroups(call: Call, field: string, groupIds: readonly bigint[]): Promise<void>;
}
export const MessageRecipientGroups: Contract<MessageRecipientGroups> = defineContract("message_recipient_group");

/** Where plugins say what uses a group. */
export const MessageRecipientGroupUses: ExtensionPoint<UseCheck> = defineExtensionPoint("message_recipient_group.uses");
