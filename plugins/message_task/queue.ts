import { type Call, type Clock, inBatches, unixSeconds } from "edgehelm";
import type { MessageMedias } from "../message_media/contract.ts";
import type { MessageMediaInstances, MessageMediaInstanceSummary } from "../message_media_instance/contract.ts";
import type { MessageRecipients, MessageRecipientSummary } from "../message_recipient/contract.ts";
import { FAILED, INSTANCE, type MessageTaskRow, type MessageTaskStore, RECIPIENT, SENT } from "./store.ts";

const LOOKED_AT_ONCE = 200;
const REMOVED_AT_ONCE = 500;
const KEPT_SECONDS = 30n * 86_400n;
/** Who sends for longer was stopped; sending again could send twice. */
const STUCK_SECONDS = 300n;

export interface QueueDeps {
  readonly tasks: MessageTaskStore;
  readonly medias: MessageMedias;
  readonly instances: MessageMediaInstances;
  readonly recipients: MessageRecipients | undefined;
  readonly clock: Clock;
}

/** A message with whom it goes to and through what. */
export interface Addressed {
  readonly row: MessageTaskRow;
  readonly instance: MessageMediaInstanceSummary;
  readonly recipient: MessageRecipientSummary | undefined;
}

/** The line of messages: sends those whose turn it is, and removes what is old or has nowhere to go. */
export class MessageQueue {
  readonly #deps: QueueDeps;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  /** Messages whose recipient and instance are there and on. */
  async addressed(call: Call, rows: readonly MessageTaskRow[]): Promise<Addressed[]> {
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

  /** Sends what waits, primary messages first, then the oldest; each when its recipient's time and the rate allow it. */
  async send(call: Call): Promise<void> {
    const { tasks, medias, clock } = this.#deps;
    if (!medias.canSend) return;
    const now = unixSeconds(clock);
    const stuck = { before: now - STUCK_SECONDS, now, error: "the server stopped while it was sent" };
    await call.transact((inner) => tasks.failStuck.run(inner, stuck));
    let last = { isPrimary: 2n, id: 0n };
    const exhausted = new Set<bigint>();
    for (;;) {
      const rows = await tasks.waitingAfter.all(call, { ...last, limit: LOOKED_AT_ONCE });
      for (const one of await this.addressed(call, rows)) {
        const isNow = isTimeFor(one.recipient, clock) && !exhausted.has(one.instance.id);
        if (isNow && !await this.#sendOne(call, one)) exhausted.add(one.instance.id);
      }
      if (rows.length < LOOKED_AT_ONCE) return;
      last = rows.at(-1)!;
    }
  }

  /** False when the instance has sent as much as it may. */
  async #sendOne(call: Call, { row, instance }: Addressed): Promise<boolean> {
    const { tasks, medias, instances, clock } = this.#deps;
    const paramsJSON = await instances.paramsOf(call, instance.id);
    if (paramsJSON === undefined) return true;
    const taken = await call.transact(async (inner) => {
      const startedAt = unixSeconds(clock);
      if (!await this.#isWithinRate(inner, instance, startedAt)) return undefined;
      return await tasks.take.run(inner, { id: row.id, startedAt });
    });
    if (taken === undefined) return false;
    if (taken === 0n) return true;
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

  /** Removes messages that are older than 30 days, and drops those of recipients and instances that are off or gone. */
  async clean(call: Call): Promise<void> {
    const { tasks, clock } = this.#deps;
    const before = unixSeconds(clock) - KEPT_SECONDS;
    await inBatches(call, REMOVED_AT_ONCE, (inner, limit) => tasks.purge.run(inner, { before, limit }));
    for (;;) {
      const next = await tasks.nextDrop.first(call, {});
      if (next === undefined) return;
      await call.transact(async (inner) => {
        if (await this.#isAvailable(inner, next)) return await tasks.endDrop.run(inner, next);
        const drop = next.kind === RECIPIENT ? tasks.dropOfRecipient : tasks.dropOfInstance;
        const dropped = await drop.run(inner, { targetId: next.targetId, limit: REMOVED_AT_ONCE });
        return dropped < BigInt(REMOVED_AT_ONCE) ? await tasks.endDrop.run(inner, next) : 0n;
      });
    }
  }

  /** Whether what was turned off is on again. */
  async #isAvailable(call: Call, { kind, targetId }: { kind: bigint; targetId: bigint }): Promise<boolean> {
    const { instances, recipients } = this.#deps;
    const found = await (kind === INSTANCE ? instances : recipients)?.summaries(call, [targetId]);
    return found?.get(targetId)?.isOn === true;
  }
}

/** Whether messages are sent to the recipient at this time of day, by the server's clock. */
function isTimeFor(recipient: MessageRecipientSummary | undefined, clock: Clock): boolean {
  const { timeFrom = "", timeTo = "" } = recipient ?? {};
  const now = new Date(clock.now()).toTimeString().slice(0, 8);
  const [from, to] = [timeFrom || "00:00:00", timeTo || "23:59:59"];
  return from <= to ? from <= now && now <= to : from <= now || now <= to;
}
