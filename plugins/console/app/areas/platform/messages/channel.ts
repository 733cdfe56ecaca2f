import { requireUnchanged } from "../../../parts/forms/unchanged.ts";
import { parsed } from "../../../parts/json/value.ts";
import type { ListPage } from "../../../parts/lists/loaded_list.tsx";
import { callPath } from "../../../shell/call.ts";
import { CHANNELS } from "./paths.ts";
import { texts } from "./texts.ts";

/** A kind of channel, such as email. */
export interface ChannelKind {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly userDescription: string;
}

/** A way to send messages, such as one mail account. */
export interface Channel {
  readonly id: bigint;
  readonly isOn: boolean;
  readonly name: string;
  readonly messageMedia?: ChannelKind;
  readonly paramsJSON: Uint8Array;
  readonly description: string;
  readonly rateJSON: Uint8Array;
  readonly hashLife: number;
}

/** A rate limit: at most `count` messages in `minutes`. */
export interface Rate {
  readonly minutes: number;
  readonly count: number;
}

/** The values of the form of a channel. */
export interface ChannelDraft {
  readonly name: string;
  readonly mediaType: string;
  /** The parameters of the kind, as JSON. */
  readonly params: string;
  readonly description: string;
  /** Empty for no limit. */
  readonly count: string;
  readonly minutes: string;
  /** True if a message is left out when the same one was queued a moment before. */
  readonly leavesOut: boolean;
  /** The length of that moment in seconds. */
  readonly seconds: string;
}

const DEFAULT_SECONDS = 60;

export const NEW_CHANNEL: ChannelDraft = {
  ...{ name: "", mediaType: "email", params: "{}", description: "", count: "", minutes: "1" },
  ...{ leavesOut: true, seconds: String(DEFAULT_SECONDS) },
};

export async function loadKinds(signal?: AbortSignal): Promise<readonly ChannelKind[]> {
  return (await callPath(CHANNELS.kinds, {}, signal))["messageMedias"] as readonly ChannelKind[];
}

export async function loadChannels(
  keyword: string,
  offset: number,
  size: number,
  signal?: AbortSignal,
): Promise<ListPage<Channel>> {
  const [list, { count }] = await Promise.all([
    callPath(CHANNELS.list, { keyword, offset: BigInt(offset), size: BigInt(size) }, signal),
    callPath(CHANNELS.count, { keyword }, signal),
  ]);
  return { rows: list["messageMediaInstances"] as readonly Channel[], total: count as bigint };
}

export async function findChannel(id: bigint, signal?: AbortSignal): Promise<Channel | undefined> {
  const found = await callPath(CHANNELS.find, { messageMediaInstanceId: id }, signal);
  return found["messageMediaInstance"] as Channel | undefined;
}

/** The rate limit of a channel; undefined if it has none. */
export function rateOf({ rateJSON }: Channel): Rate | undefined {
  const rate = parsed(new TextDecoder().decode(rateJSON)) as Partial<Rate> | null | undefined;
  return rate?.count ? { count: rate.count, minutes: rate.minutes || 1 } : undefined;
}

/** The seconds within which the same message is not sent again; 0 if it always is. */
export function secondsOf({ hashLife }: Channel): number {
  return hashLife < 0 ? 0 : hashLife || DEFAULT_SECONDS;
}

export function draftOf(channel: Channel): ChannelDraft {
  const [rate, seconds] = [rateOf(channel), secondsOf(channel)];
  return {
    name: channel.name,
    mediaType: channel.messageMedia?.type ?? "",
    params: new TextDecoder().decode(channel.paramsJSON),
    description: channel.description,
    count: String(rate?.count ?? ""),
    minutes: String(rate?.minutes ?? 1),
    leavesOut: seconds > 0,
    seconds: String(seconds || DEFAULT_SECONDS),
  };
}

/** Creates a channel, or changes one that no other reader has changed meanwhile. */
export async function saveChannel(channel: Channel | undefined, draft: ChannelDraft): Promise<void> {
  const { name, mediaType, description } = draft;
  const settings = {
    ...{ name, mediaType, description },
    hashLife: draft.leavesOut ? Number(draft.seconds) : -1,
    rateJSON: bytesOf(JSON.stringify({ minutes: Number(draft.minutes), count: Number(draft.count) })),
  };
  const paramsJSON = bytesOf(paramsOf(draft.params));
  if (channel === undefined) {
    await callPath(CHANNELS.create, { ...settings, paramsJSON });
    return;
  }
  const { id, isOn } = channel;
  const before = draftOf(channel);
  const now = async () => {
    const found = await findChannel(id);
    return found && [draftOf(found), found.isOn];
  };
  await requireUnchanged([before, isOn], now, texts.value.changedElsewhere);
  const keepsParams = before.mediaType === mediaType && before.params === draft.params;
  await callPath(CHANNELS.update, {
    ...settings,
    ...!keepsParams && { paramsJSON },
    ...{ messageMediaInstanceId: id, isOn },
  });
}

/** Turns a channel on or off; everything else stays, also what another reader changed since the list was loaded. */
export async function turnChannel({ id }: Channel, isOn: boolean): Promise<void> {
  const found = await findChannel(id);
  if (found === undefined) throw new Error(texts.value.gone);
  const { name, messageMedia, description, hashLife } = found;
  const kept = { name, mediaType: messageMedia?.type ?? "", description, hashLife };
  await callPath(CHANNELS.update, { ...kept, messageMediaInstanceId: id, isOn });
}

/** @throws Error that begins with the name of the field */
function paramsOf(text: string): string {
  const json = parsed(text);
  if (json === undefined) throw new Error(`paramsJSON: ${texts.value.mustBeJson}`);
  return JSON.stringify(json ?? {});
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
