import type { BurstSite } from "./burst_site.ts";
import type { Figures } from "./figures.ts";

/** A message as the installation stores it. */
export interface StoredMessage {
  readonly id: number;
  readonly subject: string;
  /** False for a mail. */
  readonly isHook: boolean;
  readonly isPrimary: boolean;
  readonly status: bigint;
  readonly isSent: boolean;
  /** True if it was sent, or failed. */
  readonly isEnded: boolean;
  readonly error: string;
}

/** A burst that has ended. */
export interface EndedBurst {
  readonly name: string;
  readonly messages: number;
  readonly kills: number;
  /** The ids of the messages whose creation was acknowledged, by subject. */
  readonly acknowledged: ReadonlyMap<string, number>;
  readonly stored: readonly StoredMessage[];
  /** The ids of messages that were being sent at a kill. */
  readonly interrupted: ReadonlySet<number>;
}

/** Checks that no message was lost, and none sent twice but by web hooks with the same id. */
export function checkBurst(
  { name, messages, kills, acknowledged, stored, interrupted }: EndedBurst,
  site: BurstSite,
  figures: Figures,
  broken: string[],
): void {
  const fail = (text: string) => broken.push(`${name}: ${text}`);
  if (stored.length !== messages) fail(`${stored.length} messages are stored, not ${messages}`);
  for (const [subject, id] of acknowledged) {
    if (!stored.some((message) => message.id === id && message.subject === subject)) fail(`message ${id} was lost`);
  }
  const [hooks, mails] = [stored.filter(({ isHook }) => isHook), stored.filter(({ isHook }) => !isHook)];
  figures.messages.webHooks += hooks.length;
  figures.messages.mails += mails.length;

  for (const { id, subject, isSent, error } of hooks) {
    const [ids, arrivals] = [site.hooks.idsOf.get(subject) ?? [], site.hooks.arrivals.get(`message-${id}`) ?? 0];
    if (!isSent) fail(`web hook ${id} was not sent: ${error}`);
    if (arrivals === 0) fail(`web hook ${id} did not arrive`);
    if ([...ids].join() !== `message-${id}`) fail(`web hook ${id} arrived as ${[...ids].join()}`);
    if (arrivals > 1) figures.interrupted.repeatedHooks++;
    if (arrivals > 1 && !interrupted.has(id)) fail(`web hook ${id} arrived ${arrivals} times without a kill`);
  }

  let unknown = 0;
  for (const { id, subject, isSent, error } of mails) {
    const arrivals = site.mailsAbout(subject);
    if (arrivals > 1) fail(`mail ${id} arrived ${arrivals} times`);
    if (isSent && arrivals === 0) fail(`mail ${id} stands as sent and did not arrive`);
    if (isSent) continue;
    unknown++;
    if (arrivals > 0) figures.interrupted.unknownArrived++;
    else figures.interrupted.unknownLost++;
    if (!error.startsWith("outcome unknown") || !interrupted.has(id)) fail(`mail ${id} failed: ${error}`);
  }
  if (unknown > kills) fail(`the outcomes of ${unknown} mails are unknown after ${kills} kills`);

  const arrivedHooks = [...site.hooks.arrivals.keys()].map((id) => Number(id.slice("message-".length)));
  const idOf = new Map(mails.map(({ subject, id }) => [subject, id]));
  const arrivedMails = site.subjects.map((subject) => idOf.get(subject) ?? 0);
  for (const isPrimary of [true, false]) {
    checkOrder(hooks, arrivedHooks, isPrimary);
    checkOrder(mails, arrivedMails, isPrimary);
  }

  /** Messages arrive in the order of their creation, but for those that a kill interrupted. */
  function checkOrder(sent: readonly StoredMessage[], arrived: readonly number[], isPrimary: boolean): void {
    const ids = new Set(sent.filter((message) => message.isPrimary === isPrimary).map(({ id }) => id));
    const order = arrived.filter((id) => ids.has(id) && !interrupted.has(id));
    const at = order.findIndex((id, index) => index > 0 && id < order[index - 1]!);
    if (at >= 0) fail(`message ${order[at]} arrived after message ${order[at - 1]}`);
  }
}
