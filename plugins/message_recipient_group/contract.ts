import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";

/** A group, as shown with a recipient. */
export interface MessageRecipientGroupSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** Lets other plugins look up groups of recipients. */
export interface MessageRecipientGroups {
  /** Returns groups by id; groups that do not exist are missing from the map. */
  summaries(call: Call, groupIds: readonly bigint[]): Promise<ReadonlyMap<bigint, MessageRecipientGroupSummary>>;
  /**
   * Checks that every group exists.
   *
   * @param field the request field to name in the error
   * @throws `kernel.invalid_field` if one does not
   */
  requireGroups(call: Call, field: string, groupIds: readonly bigint[]): Promise<void>;
}
export const MessageRecipientGroups: Contract<MessageRecipientGroups> = defineContract("message_recipient_group");

/** Lets plugins report what uses a group. */
export const MessageRecipientGroupUses: Uses = defineUses("message_recipient_group");
