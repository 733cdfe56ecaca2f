import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("message_recipient_group", "message recipient group");
