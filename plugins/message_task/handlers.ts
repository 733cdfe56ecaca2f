import { type Call, type Handlers, idField, invalid, kernelErrors, pageOf, textField, unixSeconds } from "edgehelm";
import { deleteRow } from "edgehelm/rows";
import { hexText } from "edgehelm/wire";
import { errors } from "./errors.ts";
import type { DeliverableTask, MessageQueue, QueueDeps } from "./queue.ts";
import {
  ListMessageTasksWithStatusRequest_Status as Status,
  type MessageTaskService,
} from "./proto/service_message_task_pb.ts";
import { QUEUED, SENDING, SENT } from "./store.ts";

const MAX_BODY_LENGTH = 65_536;
const STATUSES: readonly number[] = Object.values(Status);

export function messageTaskHandlers(deps: QueueDeps, queue: MessageQueue): Handlers<typeof MessageTaskService> {
  const { tasks, medias, instances, recipients, clock } = deps;

  /** Returns the target of a message: a recipient, or a user of an instance. */
  async function targetOf(
    call: Call,
    request: { messageRecipientId: bigint; messageMediaInstanceId: bigint; user: string },
  ) {
    const { messageRecipientId, messageMediaInstanceId } = request;
    if (messageRecipientId === 0n) {
      const instance = await requireInstance(call, messageMediaInstanceId);
      return { messageRecipientId, instance, user: textField("user", request.user, { min: 1 }) };
    }
    if (recipients === undefined) {
      throw invalid("messageRecipientId", "must be 0: the plugin message_recipient is not enabled");
    }
    const id = idField("messageRecipientId", messageRecipientId);
    const recipient = await recipients.requireRecipient(call, "messageRecipientId", id);
    if (!recipient.isOn) throw errors.unavailable_target("messageRecipientId", `message recipient ${id}`);
    const instance = await requireInstance(call, recipient.messageMediaInstanceId, "messageRecipientId");
    return { messageRecipientId, instance, user: recipient.user };
  }

  async function requireInstance(call: Call, id: bigint, field = "messageMediaInstanceId") {
    const instance = await instances.requireInstance(call, field, id);
    if (!instance.isOn) throw errors.unavailable_target(field, `message media instance ${id}`);
    return instance;
  }

  return {
    async createMessageTask(request, call) {
      const { messageRecipientId, instance, user } = await targetOf(call, request);
      const subject = textField("subject", request.subject, { min: 1 });
      const { isPrimary } = request;
      const hash = await hashOf([messageRecipientId, instance.id, user, subject, isPrimary]);
      const createdAt = unixSeconds(clock);
      if (instance.hashSeconds > 0n) {
        const since = createdAt - instance.hashSeconds;
        if (await tasks.duplicate.first(call, { hash, since }) !== undefined) return { messageTaskId: 0n };
      }
      const { id } = await tasks.insert.one(call, {
        messageRecipientId,
        messageMediaInstanceId: instance.id,
        user,
        subject,
        body: textField("body", request.body, { max: MAX_BODY_LENGTH }),
        isPrimary,
        hash,
        createdAt,
      });
      return { messageTaskId: id };
    },

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
      const instance = await requireInstance(call, idField("messageMediaInstanceId", request.messageMediaInstanceId));
      const message = {
        mediaType: instance.messageMedia.type,
        user: textField("user", request.user, { min: 1 }),
        subject: textField("subject", request.subject, { min: 1 }),
        body: textField("body", request.body, { max: MAX_BODY_LENGTH }),
      };
      const paramsJSON = await instances.paramsOf(call, instance.id);
      if (paramsJSON === undefined) throw kernelErrors.conflict("the message media instance was deleted concurrently");
      return { ...await medias.send(call, { ...message, paramsJSON }) };
    },

    async updateMessageTaskStatus({ messageTaskId, status }, call) {
      const { id, startedAt, sentAt } = await tasks.require(call, "messageTaskId", messageTaskId);
      const now = unixSeconds(clock);
      const next = statusField(status);
      if (next === QUEUED) {
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

/** Returns the hash that identifies duplicates. It protects no secret, so it needs no key. */
async function hashOf(values: readonly unknown[]): Promise<string> {
  const text = JSON.stringify(values.map(String));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return hexText(bytes);
}

/** Returns a message as responses contain it. */
function taskMessage({ row, instance, recipient }: DeliverableTask) {
  const { id, isOn, name, description, messageMedia } = instance;
  return {
    id: row.id,
    ...(recipient && { messageRecipient: recipient.message }),
    user: row.user,
    subject: row.subject,
    body: row.body,
    createdAt: row.createdAt,
    status: Number(row.status),
    sentAt: row.sentAt,
    ...(row.sentAt !== 0n && { result: { isOk: row.status === SENT, error: row.error, response: row.response } }),
    messageMediaInstance: { id, isOn, name, description, messageMedia: { ...messageMedia } },
  };
}
