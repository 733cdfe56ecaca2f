// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/MessageTaskLogService/countMessageTaskLogs": [],
  "/MessageTaskLogService/listMessageTaskLogs": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","message_task.not_found","message_task.unavailable_target"],
};
