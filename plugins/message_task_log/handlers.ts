import { type Handlers, pageOf } from "edgehelm";
import type { MessageTasks } from "../message_task/contract.ts";
import type { MessageTaskLogService } from "./proto/service_message_task_log_pb.ts";
import type { MessageTaskLogStore } from "./store.ts";

export function messageTaskLogHandlers(
  logs: MessageTaskLogStore,
  tasks: MessageTasks,
): Handlers<typeof MessageTaskLogService> {
  return {
    countMessageTaskLogs: (_request, call) => logs.count.one(call, {}),

    async listMessageTaskLogs(request, call) {
      const rows = await logs.newest.all(call, pageOf(request));
      const messages = await tasks.messages(call, [...new Set(rows.map(({ messageTaskId }) => messageTaskId))]);
      return {
        messageTaskLogs: rows.map(({ id, createdAt, isOk, error, response, messageTaskId }) => {
          const messageTask = messages.get(messageTaskId) ?? { id: messageTaskId };
          return { id, createdAt, isOk: isOk === 1n, error, response, messageTask };
        }),
      };
    },
  };
}
