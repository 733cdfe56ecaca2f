import { requireUnchanged } from "../../../parts/forms/unchanged.ts";
import type { ListPage } from "../../../parts/lists/loaded_list.tsx";
import { callPath } from "../../../shell/call.ts";
import { RECIPIENTS } from "./paths.ts";
import { texts } from "./texts.ts";

/** An admin who receives messages through a channel. */
export interface Recipient {
  readonly id: bigint;
  readonly isOn: boolean;
  readonly admin?: { readonly id: bigint; readonly username: string; readonly fullname: string };
  readonly messageMediaInstance?: { readonly id: bigint; readonly isOn: boolean; readonly name: string };
  readonly messageRecipientGroups: readonly { readonly id: bigint; readonly name: string }[];
  readonly description: string;
  readonly user: string;
  readonly timeFrom: string;
  readonly timeTo: string;
  readonly nodeClusterIds: readonly bigint[];
}

/** The values of the form of a recipient; several ids stand in a line each. */
export interface RecipientDraft {
  readonly adminId: string;
  readonly messageMediaInstanceId: string;
  readonly user: string;
  readonly messageRecipientGroupIds: string;
  readonly nodeClusterIds: string;
  readonly timeFrom: string;
  readonly timeTo: string;
  readonly description: string;
}

/** The choice of recipients that are listed. */
export interface RecipientFilter {
  readonly keyword: string;
  /** The id of a group; empty for all. */
  readonly group: string;
}

export async function loadRecipients(
  { keyword, group }: RecipientFilter,
  offset: number,
  size: number,
  signal?: AbortSignal,
): Promise<ListPage<Recipient>> {
  const filter = { keyword, messageRecipientGroupId: /^\d+$/.test(group) ? BigInt(group) : 0n };
  const [list, { count }] = await Promise.all([
    callPath(RECIPIENTS.list, { ...filter, offset: BigInt(offset), size: BigInt(size) }, signal),
    callPath(RECIPIENTS.count, filter, signal),
  ]);
  return { rows: list["messageRecipients"] as readonly Recipient[], total: count as bigint };
}

export async function findRecipient(id: bigint, signal?: AbortSignal): Promise<Recipient | undefined> {
  const found = await callPath(RECIPIENTS.find, { messageRecipientId: id }, signal);
  return found["messageRecipient"] as Recipient | undefined;
}

export function draftOf(recipient: Recipient): RecipientDraft {
  const { admin, messageMediaInstance, messageRecipientGroups, nodeClusterIds, ...own } = recipient;
  return {
    adminId: String(admin?.id ?? ""),
    messageMediaInstanceId: String(messageMediaInstance?.id ?? ""),
    user: own.user,
    messageRecipientGroupIds: messageRecipientGroups.map(({ id }) => id).join("\n"),
    nodeClusterIds: nodeClusterIds.join("\n"),
    timeFrom: shortTime(own.timeFrom),
    timeTo: shortTime(own.timeTo),
    description: own.description,
  };
}

/** `08:30:00` is `08:30`; seconds are kept if there are some. */
function shortTime(time: string): string {
  return time.replace(/:00$/, "");
}

/** The time of day at which messages are sent; undefined if it is any. */
export function hoursOf({ timeFrom, timeTo }: Recipient): string | undefined {
  if (timeFrom === "" && timeTo === "") return undefined;
  return `${shortTime(timeFrom) || "00:00"}–${shortTime(timeTo) || "24:00"}`;
}

export function nameOf({ admin, user }: Recipient): string {
  return admin?.fullname || admin?.username || user;
}

/** Creates a recipient, or changes one that no other reader has changed meanwhile. */
export async function saveRecipient(recipient: Recipient | undefined, draft: RecipientDraft): Promise<void> {
  const request = requestOf(draft);
  if (recipient === undefined) {
    await callPath(RECIPIENTS.create, request);
    return;
  }
  const { id, isOn } = recipient;
  const now = async () => {
    const found = await findRecipient(id);
    return found && [draftOf(found), found.isOn];
  };
  await requireUnchanged([draftOf(recipient), isOn], now, texts.value.changedElsewhere);
  await callPath(RECIPIENTS.update, { ...request, messageRecipientId: id, isOn });
}

/** Turns a recipient on or off; everything else stays, also what another reader changed since the list was loaded. */
export async function turnRecipient({ id }: Recipient, isOn: boolean): Promise<void> {
  const found = await findRecipient(id);
  if (found === undefined) throw new Error(texts.value.gone);
  await callPath(RECIPIENTS.update, { ...requestOf(draftOf(found)), messageRecipientId: id, isOn });
}

function requestOf(draft: RecipientDraft): Record<string, unknown> {
  const { user, timeFrom, timeTo, description } = draft;
  return {
    ...{ user, timeFrom, timeTo, description },
    adminId: idOf("adminId", draft.adminId),
    messageMediaInstanceId: idOf("messageMediaInstanceId", draft.messageMediaInstanceId),
    messageRecipientGroupIds: idsOf("messageRecipientGroupIds", draft.messageRecipientGroupIds),
    nodeClusterIds: idsOf("nodeClusterIds", draft.nodeClusterIds),
  };
}

/** @throws Error that begins with the name of the field */
function idOf(field: string, typed: string): bigint {
  if (typed.trim() === "") throw new Error(`${field}: ${texts.value.mustChoose}`);
  if (!/^\d+$/.test(typed.trim())) throw new Error(`${field}: ${texts.value.mustBeId}`);
  return BigInt(typed.trim());
}

function idsOf(field: string, typed: string): readonly bigint[] {
  return typed.split("\n").filter((line) => line.trim() !== "").map((line) => idOf(field, line));
}
