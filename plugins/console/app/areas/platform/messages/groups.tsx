import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { LIST_SIZE, LoadedList } from "../../../parts/lists/loaded_list.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { plural } from "../../../texts/mod.ts";
import { type Group, loadCountedGroups } from "./group.ts";
import { GroupDialog } from "./group_dialog.tsx";
import { MessagesHead } from "./head.tsx";
import { GROUPS, RECIPIENTS } from "./paths.ts";
import { RemoveDialog } from "./row_dialogs.tsx";
import { texts } from "./texts.ts";

type Doing = { readonly what: "add" } | { readonly what: "rename" | "remove"; readonly group: Group };

/** The groups of recipients with the number of their members. */
export function Groups(): JSX.Element {
  const [offset, setOffset] = useState(0);
  const [doing, setDoing] = useState<Doing>();
  const page = useLoaded((signal) => loadCountedGroups(offset, LIST_SIZE, signal), [offset]);
  const { value: text } = texts;
  const close = () => setDoing(undefined);
  async function remove({ id }: Group): Promise<void> {
    await callPath(GROUPS.remove, { messageRecipientGroupId: id });
    page.reload();
  }
  return (
    <>
      <MessagesHead tab="groups">
        {mayCall(GROUPS.create) && (
          <button type="button" class="btn primary" onClick={() => setDoing({ what: "add" })}>{text.addGroup}</button>
        )}
      </MessagesHead>
      <div class="panel">
        <LoadedList
          page={page}
          offset={offset}
          onMove={setOffset}
          empty={<p>{text.noGroups}</p>}
          columns={[{ name: text.group }, { name: text.members }, { name: text.actions, isHidden: true }]}
        >
          {(group) => (
            <tr key={group.id}>
              <td class="first">{group.name}</td>
              <td>
                {group.members !== undefined && <Members {...group} members={group.members} />}
              </td>
              <td class="buttons">
                {mayCall(GROUPS.update) && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={fill(text.renameTitle, { name: group.name })}
                    onClick={() => setDoing({ what: "rename", group })}
                  >
                    {text.rename}
                  </button>
                )}
                {mayCall(GROUPS.remove) && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={fill(text.removeTitle, { name: group.name })}
                    onClick={() => setDoing({ what: "remove", group })}
                  >
                    {text.remove}
                  </button>
                )}
              </td>
            </tr>
          )}
        </LoadedList>
      </div>
      {(doing?.what === "add" || doing?.what === "rename") && (
        <GroupDialog group={doing.what === "rename" ? doing.group : undefined} onDone={page.reload} onClose={close} />
      )}
      {doing?.what === "remove" && (
        <RemoveDialog
          name={doing.group.name}
          help={text.removeGroupHelp}
          onAct={() => remove(doing.group)}
          onClose={close}
        />
      )}
    </>
  );
}

/** The number of members, with the way to their list. */
function Members({ id, name, members }: { id: bigint; name: string; members: bigint }): JSX.Element {
  const counted = plural(texts.value.counted, Number(members));
  if (members === 0n || !mayCall(RECIPIENTS.list)) return <span class="dim">{counted}</span>;
  return (
    <a
      class="link"
      aria-label={`${name}: ${counted}`}
      href={linkTo(["messages", "recipients"], { group: String(id) })}
    >
      {counted}
    </a>
  );
}
