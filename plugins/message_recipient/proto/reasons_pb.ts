// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/MessageRecipientService/countAllEnabledMessageRecipients": ["kernel.invalid_field","message_media_instance.not_found","message_recipient.not_found"],
  "/MessageRecipientService/createMessageRecipient": ["admin.not_found","kernel.invalid_field","message_recipient.not_found","node_cluster.not_found"],
  "/MessageRecipientService/deleteMessageRecipient": ["kernel.invalid_field","message_recipient.not_found"],
  "/MessageRecipientService/findEnabledMessageRecipient": ["admin.not_found","kernel.invalid_field","message_recipient.not_found"],
  "/MessageRecipientService/listEnabledMessageRecipients": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","message_recipient.not_found"],
  "/MessageRecipientService/updateMessageRecipient": ["admin.not_found","kernel.invalid_field","message_recipient.not_found","node_cluster.not_found"],
};
