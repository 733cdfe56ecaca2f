import { requireUnchanged } from "../../../parts/forms/unchanged.ts";
import type { ListPage } from "../../../parts/lists/loaded_list.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { GROUPS, RECIPIENTS } from "./paths.ts";
import { texts } from "./texts.ts";

export interface Group {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** A group with the number of its recipients, if the reader may count them. */
export interface CountedGroup extends Group {
  readonly members: bigint | undefined;
}

export async function loadGroups(signal?: AbortSignal): Promise<readonly Group[]> {
  if (!mayCall(GROUPS.list)) return [];
  return (await callPath(GROUPS.list, {}, signal))["messageRecipientGroups"] as readonly Group[];
}

/** Loads a page of the groups with the number of their members. */
export async function loadCountedGroups(
  offset: number,
  size: number,
  signal: AbortSignal,
): Promise<ListPage<CountedGroup>> {
  const groups = await loadGroups(signal);
  const rows = await Promise.all(
    groups.slice(offset, offset + size).map(async (group) => {
      const request = { messageRecipientGroupId: group.id };
      const members = mayCall(RECIPIENTS.count)
        ? (await callPath(RECIPIENTS.count, request, signal))["count"] as bigint
        : undefined;
      return { ...group, members };
    }),
  );
  return { rows, total: BigInt(groups.length) };
}

/** Creates a group, or renames one that no other reader has changed meanwhile. */
export async function saveGroup(group: Group | undefined, name: string): Promise<void> {
  if (group === undefined) {
    await callPath(GROUPS.create, { name });
    return;
  }
  const { id, isOn } = group;
  const now = async () => {
    const found = (await callPath(GROUPS.find, { messageRecipientGroupId: id }))["messageRecipientGroup"];
    return partsOf(found as Group | undefined);
  };
  await requireUnchanged(partsOf(group), now, texts.value.changedElsewhere);
  await callPath(GROUPS.update, { messageRecipientGroupId: id, name, isOn });
}

function partsOf(group: Group | undefined): readonly unknown[] {
  return [group?.name, group?.isOn];
}
