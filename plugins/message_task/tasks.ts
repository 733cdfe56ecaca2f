import { type Call, type Clock, idField, invalid, textField, unixSeconds } from "edgehelm";
import type { SealedSecrets } from "edgehelm/auth";
import { hexText } from "edgehelm/wire";
import type { MessageMediaInstances } from "../message_media_instance/contract.ts";
import type { MessageRecipients } from "../message_recipient/contract.ts";
import { confidentialColumns } from "./confidential.ts";
import type { MessageTasks, NewMessage } from "./contract.ts";
import { errors } from "./errors.ts";
import { taskMessage } from "./messages.ts";
import type { MessageQueue } from "./queue.ts";
import type { MessageTaskStore } from "./store.ts";

const MAX_BODY_LENGTH = 65_536;
/** The instances of the media email that are looked at for one that is turned on. */
const MAX_MAIL_INSTANCES = 100;

export interface TaskDeps {
  readonly tasks: MessageTaskStore;
  readonly instances: MessageMediaInstances;
  readonly recipients: MessageRecipients | undefined;
  readonly secrets: SealedSecrets;
  readonly clock: Clock;
}

/** Checks the text of a message. */
export function textsOf(request: { readonly subject: string; readonly body: string }) {
  return {
    subject: textField("subject", request.subject, { min: 1 }),
    body: textField("body", request.body, { max: MAX_BODY_LENGTH }),
  };
}

/** Returns an instance that is turned on. */
export async function requireInstance(
  call: Call,
  instances: MessageMediaInstances,
  id: bigint,
  field = "messageMediaInstanceId",
) {
  const instance = await instances.requireInstance(call, field, id);
  if (!instance.isOn) throw errors.unavailable_target(field, `message media instance ${id}`);
  return instance;
}

/** Queues messages for handlers and other plugins. */
export function messageTasks(deps: TaskDeps, queue: MessageQueue): MessageTasks {
  const { tasks, instances, recipients, secrets, clock } = deps;

  /** Returns the target of a message: a recipient, or a user of an instance. */
  async function targetOf(call: Call, { messageRecipientId, messageMediaInstanceId, user }: NewMessage) {
    if (messageRecipientId === 0n) {
      const instance = await requireInstance(call, instances, messageMediaInstanceId);
      return { messageRecipientId, instance, user: textField("user", user, { min: 1 }) };
    }
    if (recipients === undefined) {
      throw invalid("messageRecipientId", "must be 0: the plugin message_recipient is not enabled");
    }
    const id = idField("messageRecipientId", messageRecipientId);
    const recipient = await recipients.requireRecipient(call, "messageRecipientId", id);
    if (!recipient.isOn) throw errors.unavailable_target("messageRecipientId", `message recipient ${id}`);
    const field = "messageRecipientId";
    const instance = await requireInstance(call, instances, recipient.messageMediaInstanceId, field);
    return { messageRecipientId, instance, user: recipient.user };
  }

  return {
    async create(call, message) {
      const { messageRecipientId, instance, user } = await targetOf(call, message);
      const { subject, body } = textsOf(message);
      const { isPrimary, confidential } = message;
      const hash = await hashOf([messageRecipientId, instance.id, user, subject, isPrimary]);
      const createdAt = unixSeconds(clock);
      if (instance.hashSeconds > 0n && confidential === undefined) {
        const since = createdAt - instance.hashSeconds;
        if (await tasks.duplicate.first(call, { hash, since }) !== undefined) return 0n;
      }
      const target = { messageRecipientId, messageMediaInstanceId: instance.id, user };
      const text = confidential === undefined
        ? { body, sealedText: "", sealedPlace: "", expiresAt: 0n }
        : await confidentialColumns(secrets, body, confidential.secret, confidential.expiresAt);
      return (await tasks.insert.one(call, { ...target, subject, ...text, isPrimary, hash, createdAt })).id;
    },

    async mailInstance(call, chosenId) {
      const ids = chosenId === 0n ? await instances.idsOfType(call, "email", MAX_MAIL_INSTANCES) : [chosenId];
      const found = await instances.summaries(call, ids);
      return ids.find((id) => found.get(id)?.isOn === true);
    },

    async messages(call, ids) {
      const rows = await tasks.byIds.all(call, { ids: [...ids] });
      return new Map((await queue.deliverable(call, rows)).map((task) => [task.row.id, taskMessage(task)]));
    },
  };
}

/** Returns the hash that identifies duplicates. It protects no secret, so it needs no key. */
async function hashOf(values: readonly unknown[]): Promise<string> {
  const text = JSON.stringify(values.map(String));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return hexText(bytes);
}
