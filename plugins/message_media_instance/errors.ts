import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("message_media_instance", "message media instance", {
  changed: ["conflict", (id: bigint) => `message media instance ${id} was changed concurrently: retry`],
});
