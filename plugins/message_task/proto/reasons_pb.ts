// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/MessageTaskService/countMessageTasksWithStatus": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","message_task.not_found","message_task.unavailable_target"],
  "/MessageTaskService/createMessageTask": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","message_task.not_found","message_task.unavailable_target"],
  "/MessageTaskService/deleteMessageTask": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","message_task.not_found","message_task.unavailable_target"],
  "/MessageTaskService/findEnabledMessageTask": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","message_task.not_found","message_task.unavailable_target"],
  "/MessageTaskService/listMessageTasksWithStatus": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","message_task.not_found","message_task.unavailable_target"],
  "/MessageTaskService/sendMessageTask": ["kernel.conflict","kernel.invalid_field","kernel.unavailable","message_media_instance.not_found","message_task.unavailable_target"],
  "/MessageTaskService/updateMessageTaskStatus": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","message_task.not_found","message_task.text_emptied","message_task.unavailable_target"],
};
