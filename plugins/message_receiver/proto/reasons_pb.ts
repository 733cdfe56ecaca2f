// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/MessageReceiverService/countAllEnabledMessageReceivers": ["kernel.invalid_field"],
  "/MessageReceiverService/deleteMessageReceiver": ["kernel.invalid_field","message_receiver.not_found"],
  "/MessageReceiverService/findAllEnabledMessageReceivers": ["admin.not_found","kernel.invalid_field"],
  "/MessageReceiverService/findAllEnabledMessageReceiversWithMessageRecipientId": ["admin.not_found","kernel.invalid_field"],
  "/MessageReceiverService/findAllMessageReceiverTypes": ["kernel.invalid_field"],
  "/MessageReceiverService/updateMessageReceivers": ["admin.not_found","kernel.invalid_field","message_receiver.not_found"],
};
