import { type Call, type Clock, unixSeconds } from "edgehelm";
import { timeOfDayAt } from "edgehelm/fields";
import { inBatches } from "edgehelm/storage";
import type { SealedSecrets } from "edgehelm/auth";
import type { MessageMedias } from "../message_media/contract.ts";
import type { MessageMediaInstances, MessageMediaInstanceSummary } from "../message_media_instance/contract.ts";
import type { MessageRecipients, MessageRecipientSummary } from "../message_recipient/contract.ts";
import { isConfidential, masked, revealed } from "./confidential.ts";
import type { MessageAttemptListener } from "./contract.ts";
import { eachLimited } from "./each_limited.ts";
import { type InTurn, inTurn } from "./in_turn.ts";
import { FAILED, INSTANCE, type MessageTaskRow, type MessageTaskStore, QUEUED, RECIPIENT, SENT } from "./store.ts";

const SEND_BATCH_SIZE = 200;
const DELETE_BATCH_SIZE = 500;
const RETENTION_SECONDS = 30n * 86_400n;
/** The sender of a message that is in sending for longer than this has ended: whether it was delivered is unknown. */
const SENDING_TIMEOUT_SECONDS = 300n;
const MAX_INSTANCES_AT_ONCE = 4;
const UNKNOWN = "outcome unknown: the server stopped while it sent the message";
const EXPIRED = "the message expired before it could be sent";
/** The waits after failed attempts, in seconds: a message is given up after about half a day. */
const RETRY_SECONDS = [60n, 300n, 900n, 3600n, 10_800n, 28_800n];

export interface QueueDeps {
  readonly tasks: MessageTaskStore;
  readonly medias: MessageMedias;
  readonly instances: MessageMediaInstances;
  readonly recipients: MessageRecipients | undefined;
  readonly attemptListeners: readonly MessageAttemptListener[];
  readonly secrets: SealedSecrets;
  /** If true, messages whose outcome is unknown are sent again, although their receivers may get them twice. */
  readonly repeatsUnknown: boolean;
  readonly clock: Clock;
  readonly systemCall: (name: string) => Call;
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

  /**
   * Sends the messages that are due: primary messages first, then oldest first. Instances do not wait for each other; an
   * instance whose provider cannot be reached, or whose rate limit is exhausted, is left alone until the next run.
   */
  async send(call: Call): Promise<void> {
    const { tasks, clock } = this.#deps;
    const now = unixSeconds(clock);
    await this.#resolveTimedOut(call, now);
    await this.#expire(call, now);
    let last = { isPrimary: 2n, id: 0n };
    const paused = new Set<bigint>();
    for (;;) {
      const rows = await tasks.queuedAfter.all(call, { ...last, now, limit: SEND_BATCH_SIZE });
      const byInstance = Map.groupBy(await this.deliverable(call, rows), ({ instance }) => instance.id);
      const turn = inTurn();
      await eachLimited([...byInstance.values()], MAX_INSTANCES_AT_ONCE, async (due) => {
        await this.#sendAll(call, turn, due, paused);
      });
      if (rows.length < SEND_BATCH_SIZE || call.signal.aborted) return;
      last = rows.at(-1)!;
    }
  }

  /** Sends messages of one instance, one after the other. */
  async #sendAll(
    call: Call,
    turn: InTurn,
    due: readonly DeliverableTask[],
    paused: Set<bigint>,
  ): Promise<void> {
    for (const task of due) {
      const { id, messageMedia } = task.instance;
      if (paused.has(id) || call.signal.aborted) return;
      if (!this.#deps.medias.canSend(messageMedia.type) || !isTimeFor(task.recipient, this.#deps.clock)) continue;
      if (!await this.#sendTask(call, turn, task)) paused.add(id);
    }
  }

  /**
   * Queues messages whose sender ended again if their receivers notice repetitions. Others could be delivered twice, so
   * they fail, and a person decides, unless the setting does.
   */
  async #resolveTimedOut(call: Call, now: bigint): Promise<void> {
    const { tasks, medias, instances, repeatsUnknown } = this.#deps;
    const before = now - SENDING_TIMEOUT_SECONDS;
    for (;;) {
      const rows = await tasks.timedOut.all(call, { before, limit: SEND_BATCH_SIZE });
      if (rows.length === 0) return;
      const found = await instances.summaries(call, [...new Set(rows.map((row) => row.messageMediaInstanceId))]);
      await call.transact(async (inner) => {
        for (const { id, attempts, messageMediaInstanceId } of rows) {
          const type = found.get(messageMediaInstanceId)?.messageMedia.type ?? "";
          const isRepeatable = repeatsUnknown || medias.noticesRepetitions(type);
          const isRepeated = isRepeatable && attempts < BigInt(RETRY_SECONDS.length);
          const status = isRepeated ? QUEUED : FAILED;
          await this.#finish(inner, { id, status, sentAt: now, dueAt: 0n, error: UNKNOWN, response: "" });
        }
      });
    }
  }

  /** Ends confidential messages that are no longer of use, so that their texts are emptied. */
  async #expire(call: Call, now: bigint): Promise<void> {
    const { tasks } = this.#deps;
    for (;;) {
      const rows = await tasks.expired.all(call, { now, limit: SEND_BATCH_SIZE });
      if (rows.length === 0) return;
      await call.transact(async (inner) => {
        for (const { id } of rows) await tasks.expire.run(inner, { id, sentAt: now, error: EXPIRED });
      });
    }
  }

  /** Sends one message. Returns false if the rate limit of the instance is exhausted, or its provider is away. */
  async #sendTask(call: Call, turn: InTurn, { row, instance }: DeliverableTask): Promise<boolean> {
    const { tasks, medias, instances, secrets, clock, systemCall } = this.#deps;
    const paramsJSON = await turn(() => instances.paramsOf(call, instance.id));
    const text = await revealed(secrets, row);
    if (paramsJSON === undefined || text === undefined) return true;
    const claimed = await turn(() =>
      call.transact(async (inner) => {
        const startedAt = unixSeconds(clock);
        if (!await this.#isWithinRate(inner, instance, startedAt)) return undefined;
        return await tasks.claim.run(inner, { id: row.id, startedAt });
      })
    );
    if (claimed === undefined) return false;
    if (claimed === 0n) return true;
    const { user, subject } = row;
    const message = { id: `message-${row.id}`, paramsJSON, user, subject, body: text.body };
    // in calls of its own: that of the job may be in a transaction of another media instance, and ends when the server
    // stops, which must not leave open whether the message was sent
    const result = await medias.send(systemCall("message"), instance.messageMedia.type, message);
    const sentAt = unixSeconds(clock);
    const repeated = result.isRetryable ? retryDelay(row.attempts, result.retryAfterSeconds) : undefined;
    // One that is of no use by then is not repeated.
    const isTooLate = repeated !== undefined && isConfidential(row) && sentAt + repeated >= row.expiresAt;
    const wait = isTooLate ? undefined : repeated;
    const status = result.isOk ? SENT : wait === undefined ? FAILED : QUEUED;
    const dueAt = wait === undefined ? 0n : sentAt + wait;
    const [error, response] = [masked(result.error, text.secret), masked(result.response, text.secret)];
    const attempt = { id: row.id, status, sentAt, dueAt, error, response };
    await systemCall("message").transact((inner) => this.#finish(inner, attempt));
    return !result.isRetryable;
  }

  async #finish(call: Call, attempt: Parameters<MessageTaskStore["finish"]["run"]>[1]): Promise<void> {
    if (await this.#deps.tasks.finish.run(call, attempt) === 0n) return;
    const { id: messageTaskId, sentAt: createdAt, status, error, response } = attempt;
    for (const listener of this.#deps.attemptListeners) {
      await listener.attempted(call, { messageTaskId, createdAt, isOk: status === SENT, error, response });
    }
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

/** Returns the wait before the next attempt, at least what the provider asks for; undefined after the last one. */
function retryDelay(attempts: bigint, retryAfterSeconds: number): bigint | undefined {
  const wait = RETRY_SECONDS[Number(attempts)];
  const wanted = BigInt(retryAfterSeconds);
  return wait === undefined || wait > wanted ? wait : wanted;
}
