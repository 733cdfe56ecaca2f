import * as createMessageRecipients from "./0001_create_message_recipients.ts";

export const migrations = {
  "0001_create_message_recipients": createMessageRecipients,
};
