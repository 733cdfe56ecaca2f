/** The operations of messages, by what the pages do with them. */
export const TASKS = {
  list: "MessageTaskService/listMessageTasksWithStatus",
  count: "MessageTaskService/countMessageTasksWithStatus",
  remove: "MessageTaskService/deleteMessageTask",
  change: "MessageTaskService/updateMessageTaskStatus",
} as const;

export const ATTEMPTS = {
  list: "MessageTaskLogService/listMessageTaskLogs",
  count: "MessageTaskLogService/countMessageTaskLogs",
} as const;

export const RECEIVERS = {
  types: "MessageReceiverService/findAllMessageReceiverTypes",
  list: "MessageReceiverService/findAllEnabledMessageReceivers",
  update: "MessageReceiverService/updateMessageReceivers",
  remove: "MessageReceiverService/deleteMessageReceiver",
} as const;

export const RECIPIENTS = {
  list: "MessageRecipientService/listEnabledMessageRecipients",
  count: "MessageRecipientService/countAllEnabledMessageRecipients",
  find: "MessageRecipientService/findEnabledMessageRecipient",
  create: "MessageRecipientService/createMessageRecipient",
  update: "MessageRecipientService/updateMessageRecipient",
  remove: "MessageRecipientService/deleteMessageRecipient",
} as const;

export const GROUPS = {
  list: "MessageRecipientGroupService/findAllEnabledMessageRecipientGroups",
  find: "MessageRecipientGroupService/findEnabledMessageRecipientGroup",
  create: "MessageRecipientGroupService/createMessageRecipientGroup",
  update: "MessageRecipientGroupService/updateMessageRecipientGroup",
  remove: "MessageRecipientGroupService/deleteMessageRecipientGroup",
} as const;

export const CHANNELS = {
  kinds: "MessageMediaService/findAllMessageMedias",
  list: "MessageMediaInstanceService/listEnabledMessageMediaInstances",
  count: "MessageMediaInstanceService/countAllEnabledMessageMediaInstances",
  find: "MessageMediaInstanceService/findEnabledMessageMediaInstance",
  create: "MessageMediaInstanceService/createMessageMediaInstance",
  update: "MessageMediaInstanceService/updateMessageMediaInstance",
  remove: "MessageMediaInstanceService/deleteMessageMediaInstance",
} as const;
