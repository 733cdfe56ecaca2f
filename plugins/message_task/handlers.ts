import { type Handlers, idField, invalid, kernelErrors, pageOf, textField, unixSeconds } from "edgehelm";
import { deleteRow } from "edgehelm/rows";
import { isConfidential } from "./confidential.ts";
import type { MessageTasks } from "./contract.ts";
import { errors } from "./errors.ts";
import { taskMessage } from "./messages.ts";
import type { MessageQueue, QueueDeps } from "./queue.ts";
import {
  ListMessageTasksWithStatusRequest_Status as Status,
  type MessageTaskService,
} from "./proto/service_message_task_pb.ts";
import { QUEUED, SENDING } from "./store.ts";
import { requireInstance, textsOf } from "./tasks.ts";

const STATUSES: readonly number[] = Object.values(Status);

export function messageTaskHandlers(
  { tasks, medias, instances, clock }: QueueDeps,
  queue: MessageQueue,
  created: MessageTasks,
): Handlers<typeof MessageTaskService> {
  return {
    createMessageTask: async (request, call) => ({ messageTaskId: await created.create(call, request) }),

    deleteMessageTask: deleteRow(tasks, "messageTaskId"),

    async findEnabledMessageTask({ messageTaskId }, call) {
      const [task] = await queue.deliverable(call, await tasks.byId.all(call, { id: messageTaskId }));
      return task === undefined ? {} : { messageTask: taskMessage(task) };
    },

    async countMessageTasksWithStatus({ status }, call) {
      return await tasks.countOfStatus.one(call, { status: statusField(status) });
    },

    async listMessageTasksWithStatus(request, call) {
      const page = pageOf(request);
      const rows = await tasks.ofStatus.all(call, { ...page, status: statusField(request.status) });
      return { messageTasks: (await queue.deliverable(call, rows)).map(taskMessage) };
    },

    async sendMessageTask(request, call) {
      const id = idField("messageMediaInstanceId", request.messageMediaInstanceId);
      const instance = await requireInstance(call, instances, id);
      const message = {
        id: `direct-${crypto.randomUUID()}`,
        user: textField("user", request.user, { min: 1 }),
        ...textsOf(request),
      };
      const paramsJSON = await instances.paramsOf(call, instance.id);
      if (paramsJSON === undefined) throw kernelErrors.conflict("the message media instance was deleted concurrently");
      const sent = await medias.send(call, instance.messageMedia.type, { ...message, paramsJSON });
      return { isOk: sent.isOk, error: sent.error, response: sent.response };
    },

    async updateMessageTaskStatus({ messageTaskId, status }, call) {
      const row = await tasks.require(call, "messageTaskId", messageTaskId);
      const { id, startedAt, sentAt } = row;
      const now = unixSeconds(clock);
      const next = statusField(status);
      if (next === QUEUED) {
        if (isConfidential(row) && row.sealedText === "") throw errors.text_emptied(id);
        await tasks.setStatus.run(call, { id, status: next, startedAt: 0n, sentAt: 0n });
        await tasks.clearResult.run(call, { id });
      } else {
        const times = next === SENDING ? { startedAt: now, sentAt: 0n } : { startedAt, sentAt: sentAt || now };
        await tasks.setStatus.run(call, { id, status: next, ...times });
      }
      return {};
    },
  };
}

function statusField(status: number): bigint {
  if (!STATUSES.includes(status)) throw invalid("status", `must be 0 to 3, got ${status}`);
  return BigInt(status);
}
