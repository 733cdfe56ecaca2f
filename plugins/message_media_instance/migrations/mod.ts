import * as createMessageMediaInstances from "./0001_create_message_media_instances.ts";

export const migrations = {
  "0001_create_message_media_instances": createMessageMediaInstances,
};
