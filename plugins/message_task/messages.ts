import type { DeliverableTask } from "./queue.ts";
import { SENT } from "./store.ts";

/** Returns a message as responses contain it. */
export function taskMessage({ row, instance, recipient }: DeliverableTask) {
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
    attempts: Number(row.attempts),
    nextAttemptAt: row.dueAt,
  };
}
