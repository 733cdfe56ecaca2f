import * as createMessageTasks from "./0001_create_message_tasks.ts";

export const migrations = {
  "0001_create_message_tasks": createMessageTasks,
};
