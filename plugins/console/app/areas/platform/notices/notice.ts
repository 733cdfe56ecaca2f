import { parsed } from "../../../parts/json/value.ts";
import type { ListPage } from "../../../parts/lists/loaded_list.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { resources } from "../../../shell/state.ts";
import { NOTICES, refreshUnread } from "../../../shell/unread.ts";

/** A message of the platform about an event. */
export interface Notice {
  readonly id: bigint;
  /** The kind of its event. */
  readonly type: string;
  readonly level: string;
  readonly subject: string;
  readonly body: string;
  readonly paramsJSON: Uint8Array;
  readonly isRead: boolean;
  readonly createdAt: bigint;
}

/** Loads a page of the notices of the reader, the newest first. */
export async function loadNotices(
  includeRead: boolean,
  offset: number,
  size: number,
  signal?: AbortSignal,
): Promise<ListPage<Notice>> {
  const [list, { count }] = await Promise.all([
    callPath(NOTICES.list, { includeRead, offset: BigInt(offset), size: BigInt(size) }, signal),
    callPath(NOTICES.count, { includeRead }, signal),
  ]);
  return { rows: list["messages"] as readonly Notice[], total: count as bigint };
}

export async function markNotice({ id }: Notice, isRead: boolean): Promise<void> {
  await callPath(NOTICES.mark, { messageId: id, isRead });
  await refreshUnread();
}

export async function markAll(): Promise<void> {
  await callPath(NOTICES.markAll, {});
  await refreshUnread();
}

/** Returns the link to the first object that the data of a notice names, if the reader may find objects of its kind. */
export function linkOf({ paramsJSON }: Notice): string | undefined {
  const data = parsed(new TextDecoder().decode(paramsJSON));
  for (const [field, id] of Object.entries(typeof data === "object" && data !== null ? data : {})) {
    const noun = field.replace(/Id$/, "").toLowerCase();
    const resource = resources.value.find((each) => each.noun.toLowerCase() === noun && each.find !== undefined);
    if (resource === undefined || field === noun || !/^[1-9]\d*$/.test(String(id))) continue;
    return linkTo(["resource", resource.noun, String(id)]);
  }
  return undefined;
}
