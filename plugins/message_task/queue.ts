import { type Call, type Clock, unixSeconds } from "edgehelm";
import { timeOfDayAt } from "edgehelm/fields";
import { inBatches } from "edgehelm/storage";
import type { MessageMedias } from "../message_media/contract.ts";
import type { MessageMediaInstances, MessageMediaInstanceSummary } from "../message_media_instance/contract.ts";
import type { MessageRecipients, MessageRecipientSummary } from "../message_recipient/contract.ts";
import { FAILED, INSTANCE, type MessageTaskRow, type MessageTaskStore, RECIPIENT, SENT } from "./store.ts";

const SEND_BATCH_SIZE = 200;
const DELETE_BATCH_SIZE = 500;
const RETENTION_SECONDS = 30n * 86_400n;
/** A message in sending for longer than this has failed: the server stopped, and a retry could deliver it twice. */
const SENDING_TIMEOUT_SECONDS = 300n;

export interface QueueDeps {
  readonly tasks: MessageTaskStore;
  readonly medias: MessageMedias;
  readonly instances: MessageMediaInstances;
  readonly recipients: MessageRecipients | undefined;
  readonly clock: Clock;
}

/** A message with its media instance and its recipient. */
export interface DeliverableTask {
  readonly row: MessageTaskRow;
  readonly instance: MessageMediaInstanceSummary;
  readonly recipient: MessageRecipientSummary | undefined;
}

/** The queue of messages: sends those that are due, and deletes those that are old or undeliverable. */
export class MessageQueue {
  readonly #deps: QueueDeps;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  /** Returns the messages whose recipient and instance exist and are turned on. */
  async deliverable(call: Call, rows: readonly MessageTaskRow[]): Promise<DeliverableTask[]> {
    const { instances, recipients } = this.#deps;
    const instanceOf = await instances.summaries(call, [...new Set(rows.map((row) => row.messageMediaInstanceId))]);
    const ids = [...new Set(rows.map((row) => row.messageRecipientId))].filter((id) => id !== 0n);
    const recipientOf = ids.length === 0 ? undefined : await recipients?.summaries(call, ids);
    return rows.flatMap((row) => {
      const instance = instanceOf.get(row.messageMediaInstanceId);
      const recipient = recipientOf?.get(row.messageRecipientId);
      const isReachable = row.messageRecipientId === 0n || recipient?.isOn === true;
      return instance?.isOn === true && isReachable ? [{ row, instance, recipient }] : [];
    });
  }

  /** Sends the messages that are due: primary messages first, then oldest first. */
  async send(call: Call): Promise<void> {
    const { tasks, medias, clock } = this.#deps;
    if (!medias.canSend) return;
    const now = unixSeconds(clock);
    const ids = (await tasks.timedOut.all(call, { before: now - SENDING_TIMEOUT_SECONDS })).map(({ id }) => id);
    const error = "the server stopped while sending the message";
    if (ids.length > 0) await call.transact((inner) => tasks.failTimedOut.run(inner, { ids, now, error }));
    let last = { isPrimary: 2n, id: 0n };
    const exhausted = new Set<bigint>();
    for (;;) {
      const rows = await tasks.queuedAfter.all(call, { ...last, limit: SEND_BATCH_SIZE });
      for (const task of await this.deliverable(call, rows)) {
        const isDue = isTimeFor(task.recipient, clock) && !exhausted.has(task.instance.id);
        if (isDue && !await this.#sendTask(call, task)) exhausted.add(task.instance.id);
      }
      if (rows.length < SEND_BATCH_SIZE) return;
      last = rows.at(-1)!;
    }
  }

  /** Sends one message. Returns false if the rate limit of the instance is exhausted. */
  async #sendTask(call: Call, { row, instance }: DeliverableTask): Promise<boolean> {
    const { tasks, medias, instances, clock } = this.#deps;
    const paramsJSON = await instances.paramsOf(call, instance.id);
    if (paramsJSON === undefined) return true;
    const claimed = await call.transact(async (inner) => {
      const startedAt = unixSeconds(clock);
      if (!await this.#isWithinRate(inner, instance, startedAt)) return undefined;
      return await tasks.claim.run(inner, { id: row.id, startedAt });
    });
    if (claimed === undefined) return false;
    if (claimed === 0n) return true;
    const { user, subject, body } = row;
    const message = { mediaType: instance.messageMedia.type, paramsJSON, user, subject, body };
    const { isOk, error, response } = await medias.send(call, message);
    const result = { error, response, sentAt: unixSeconds(clock), status: isOk ? SENT : FAILED };
    await call.transact((inner) => tasks.finish.run(inner, { id: row.id, ...result }));
    return true;
  }

  async #isWithinRate(call: Call, { id, rate }: MessageMediaInstanceSummary, now: bigint): Promise<boolean> {
    if (rate === undefined) return true;
    const since = now - BigInt(rate.minutes) * 60n;
    const { count } = await this.#deps.tasks.countSent.one(call, { messageMediaInstanceId: id, since });
    return count < BigInt(rate.count);
  }

  /** Deletes messages older than 30 days, and drops those of recipients and instances that are turned off or deleted. */
  async clean(call: Call): Promise<void> {
    const { tasks, clock } = this.#deps;
    const before = unixSeconds(clock) - RETENTION_SECONDS;
    await inBatches(call, DELETE_BATCH_SIZE, (inner, limit) => tasks.purge.run(inner, { before, limit }));
    for (;;) {
      const target = await tasks.nextDrop.first(call, {});
      if (target === undefined) return;
      await call.transact(async (inner) => {
        if (await this.#isAvailable(inner, target)) return await tasks.endDrop.run(inner, target);
        const drop = target.kind === RECIPIENT ? tasks.dropOfRecipient : tasks.dropOfInstance;
        const dropped = await drop.run(inner, { targetId: target.targetId, limit: DELETE_BATCH_SIZE });
        return dropped < BigInt(DELETE_BATCH_SIZE) ? await tasks.endDrop.run(inner, target) : 0n;
      });
    }
  }

  /** Returns true if the target of a drop is turned on again. */
  async #isAvailable(call: Call, { kind, targetId }: { kind: bigint; targetId: bigint }): Promise<boolean> {
    const { instances, recipients } = this.#deps;
    const found = await (kind === INSTANCE ? instances : recipients)?.summaries(call, [targetId]);
    return found?.get(targetId)?.isOn === true;
  }
}

/** Returns true if the recipient receives messages at this time of day, in the installation's time zone. */
function isTimeFor(recipient: MessageRecipientSummary | undefined, clock: Clock): boolean {
  const { timeFrom = "", timeTo = "" } = recipient ?? {};
  const now = timeOfDayAt(clock, unixSeconds(clock));
  const [from, to] = [timeFrom || "00:00:00", timeTo || "23:59:59"];
  return from <= to ? from <= now && now <= to : from <= now || now <= to;
}
