// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/MessageMediaInstanceService/countAllEnabledMessageMediaInstances": ["kernel.invalid_field","message_media_instance.not_found"],
  "/MessageMediaInstanceService/createMessageMediaInstance": ["kernel.invalid_field","message_media_instance.not_found"],
  "/MessageMediaInstanceService/deleteMessageMediaInstance": ["kernel.invalid_field","message_media_instance.in_use","message_media_instance.not_found"],
  "/MessageMediaInstanceService/findEnabledMessageMediaInstance": ["kernel.invalid_field","message_media_instance.not_found"],
  "/MessageMediaInstanceService/findMessageMediaInstanceSecrets": ["kernel.invalid_field","message_media_instance.not_found"],
  "/MessageMediaInstanceService/listEnabledMessageMediaInstances": ["kernel.invalid_field","message_media_instance.not_found"],
  "/MessageMediaInstanceService/updateMessageMediaInstance": ["kernel.invalid_field","message_media_instance.changed","message_media_instance.not_found"],
};
