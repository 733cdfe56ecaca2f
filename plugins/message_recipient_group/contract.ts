import { type Contract, defineContract, defineUses, type References, type Uses } from "edgehelm";
import type { MessageRecipientGroup } from "edgehelm/proto/models/message_recipient_group_pb.js";

/** Lets other plugins look up groups of recipients. */
export type MessageRecipientGroups = References<Pick<MessageRecipientGroup, "id" | "name" | "isOn">>;
export const MessageRecipientGroups: Contract<MessageRecipientGroups> = defineContract("message_recipient_group");

/** Lets plugins report what uses a group. */
export const MessageRecipientGroupUses: Uses = defineUses("message_recipient_group");
