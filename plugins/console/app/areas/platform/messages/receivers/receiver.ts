import { callPath } from "../../../../shell/call.ts";
import { language } from "../../../../texts/mod.ts";
import type { Group } from "../group.ts";
import { RECEIVERS } from "../paths.ts";
import type { Recipient } from "../recipient.ts";
import type { Target } from "./target.ts";
import { texts } from "./texts.ts";

/** A recipient or a group that is notified of some events. */
export interface Receiver {
  readonly id: bigint;
  /** A kind of events, a level, or `*` for all. */
  readonly type: string;
  readonly paramsJSON: Uint8Array;
  readonly messageRecipient?: Recipient;
  readonly messageRecipientGroup?: Group;
}

/** A kind of events that a plugin declares. */
export interface EventType {
  readonly type: string;
  readonly level: string;
  readonly subject: string;
  readonly roles: readonly string[];
  readonly dataType: string;
}

/** A recipient or a group, by its id. */
export interface Told {
  readonly messageRecipientId: bigint;
  readonly messageRecipientGroupId: bigint;
}

export const ALL = "*";
export const LEVELS = ["error", "warning", "success", "info"] as const;
export const LEVEL_KINDS = { error: "bad", warning: "warn", success: "ok", info: "idle" } as const;
export type Level = typeof LEVELS[number];

export function isLevel(type: string): type is Level {
  return (LEVELS as readonly string[]).includes(type);
}

export async function loadTypes(signal?: AbortSignal): Promise<readonly EventType[]> {
  const found = await callPath(RECEIVERS.types, { language: language.value }, signal);
  return found["messageReceiverTypes"] as readonly EventType[];
}

/** Loads the receivers of a target: those of all events first, then those of levels. */
export async function loadReceivers(target: Target, signal?: AbortSignal): Promise<readonly Receiver[]> {
  const found = (await callPath(RECEIVERS.list, { ...target }, signal))["messageReceivers"] as readonly Receiver[];
  return found.toSorted((one, other) => rank(one) - rank(other) || (one.type < other.type ? -1 : 1));
}

function rank({ type }: Receiver): number {
  return type === ALL ? 0 : isLevel(type) ? 1 + LEVELS.indexOf(type) : 1 + LEVELS.length;
}

/** Returns the subject of messages about a kind, without the names of fields. */
export function subjectOf({ subject }: EventType): string {
  return subject.replaceAll(/\{[^{}]*\}/g, "…");
}

/** Adds a receiver to those that a target has now: a request replaces all of them. */
export async function addReceiver(target: Target, type: string, told: Told): Promise<void> {
  const present = await loadReceivers(target);
  const isSame = (receiver: Receiver) =>
    receiver.type === type && toldOf(receiver).messageRecipientId === told.messageRecipientId &&
    toldOf(receiver).messageRecipientGroupId === told.messageRecipientGroupId;
  if (present.some(isSame)) throw new Error(texts.value.alreadyTold);
  const byType = Map.groupBy([...present.map((receiver) => ({ type: receiver.type, ...toldOf(receiver) })), {
    type,
    ...told,
  }], (receiver) => receiver.type);
  await callPath(RECEIVERS.update, {
    ...target,
    paramsJSON: present[0]?.paramsJSON ?? new Uint8Array(),
    recipientOptions: Object.fromEntries(
      [...byType].map(([each, of]) => [each, { recipientOptions: of.map(({ type: _, ...option }) => option) }]),
    ),
  });
}

function toldOf({ messageRecipient, messageRecipientGroup }: Receiver): Told {
  return { messageRecipientId: messageRecipient?.id ?? 0n, messageRecipientGroupId: messageRecipientGroup?.id ?? 0n };
}
