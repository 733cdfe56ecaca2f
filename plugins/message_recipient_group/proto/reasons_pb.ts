// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/MessageRecipientGroupService/createMessageRecipientGroup": ["kernel.invalid_field","message_recipient_group.not_found"],
  "/MessageRecipientGroupService/deleteMessageRecipientGroup": ["kernel.invalid_field","message_recipient_group.in_use","message_recipient_group.not_found"],
  "/MessageRecipientGroupService/findAllEnabledMessageRecipientGroups": ["kernel.invalid_field","message_recipient_group.not_found"],
  "/MessageRecipientGroupService/findEnabledMessageRecipientGroup": ["kernel.invalid_field","message_recipient_group.not_found"],
  "/MessageRecipientGroupService/updateMessageRecipientGroup": ["kernel.invalid_field","message_recipient_group.not_found"],
};
