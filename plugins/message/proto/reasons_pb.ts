// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/MessageService/countUnreadMessages": [],
  "/MessageService/listUnreadMessages": ["kernel.invalid_field"],
  "/MessageService/updateAllMessagesRead": [],
  "/MessageService/updateMessageRead": ["kernel.invalid_field","message.not_found"],
  "/MessageService/updateMessagesRead": ["kernel.invalid_field","message.not_found"],
};
