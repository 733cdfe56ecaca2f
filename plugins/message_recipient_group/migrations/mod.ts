import * as createMessageRecipientGroups from "./0001_create_message_recipient_groups.ts";

export const migrations = {
  "0001_create_message_recipient_groups": createMessageRecipientGroups,
};
