import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { LIST_SIZE, LoadedList } from "../../../parts/lists/loaded_list.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { goTo, linkTo, route } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { FirstStep, useMissing } from "./first_steps.tsx";
import { loadGroups } from "./group.ts";
import { MessagesHead } from "./head.tsx";
import { RECIPIENTS } from "./paths.ts";
import { hoursOf, loadRecipients, nameOf, type Recipient, turnRecipient } from "./recipient.ts";
import { type Doing, RemoveDialog, RowButtons, TurnDialog } from "./row_dialogs.tsx";
import { texts } from "./texts.ts";

const PLACE = ["messages", "recipients"];

/** The admins who receive messages. The filter is part of the address. */
export function Recipients(): JSX.Element {
  const { parameters } = route.value;
  const filter = { keyword: parameters.get("keyword") ?? "", group: parameters.get("group") ?? "" };
  const offset = Number(parameters.get("offset") ?? 0);
  const [doing, setDoing] = useState<Doing<Recipient>>();
  const groups = useLoaded(loadGroups, []);
  const page = useLoaded((signal) => loadRecipients(filter, offset, LIST_SIZE, signal), [
    filter.keyword,
    filter.group,
    offset,
  ]);
  const missing = useMissing();
  const { value: text } = texts;
  const show = (changes: Readonly<Record<string, string>>) => goTo(linkTo(PLACE, { ...filter, ...changes }));
  const close = () => setDoing(undefined);
  const isFiltered = filter.keyword !== "" || filter.group !== "";
  async function remove({ id }: Recipient): Promise<void> {
    await callPath(RECIPIENTS.remove, { messageRecipientId: id });
    page.reload();
  }
  async function turn(recipient: Recipient): Promise<void> {
    await turnRecipient(recipient, !recipient.isOn);
    page.reload();
  }
  return (
    <>
      <MessagesHead tab="recipients">
        {mayCall(RECIPIENTS.create) && <a class="btn primary" href={linkTo([...PLACE, "new"])}>{text.addRecipient}</a>}
      </MessagesHead>
      <div class="panel">
        <div class="bar" role="search">
          <input
            type="search"
            class="find"
            aria-label={text.findRecipient}
            placeholder={text.findRecipient}
            value={filter.keyword}
            onChange={(event) => show({ keyword: event.currentTarget.value.trim() })}
          />
          {groups.value !== undefined && groups.value.length > 0 && (
            <select
              aria-label={text.group}
              value={filter.group}
              onChange={(event) => show({ group: event.currentTarget.value })}
            >
              <option value="">{text.allGroups}</option>
              {groups.value.map(({ id, name }) => <option key={id} value={String(id)}>{name}</option>)}
            </select>
          )}
        </div>
        <LoadedList
          page={page}
          offset={offset}
          onMove={(to) => show({ offset: String(to) })}
          empty={isFiltered
            ? <p>{text.noMatch}</p>
            : missing === "channel"
            ? <FirstStep missing={missing} />
            : <p>{text.noRecipients}</p>}
          columns={[
            { name: text.admin },
            { name: text.state },
            { name: text.address },
            { name: text.channel },
            { name: text.groups },
            { name: text.hours },
            { name: text.actions, isHidden: true },
          ]}
        >
          {(recipient) => (
            <tr key={recipient.id}>
              <td>
                <a class="link main" href={linkTo([...PLACE, recipient.id])} title={recipient.description}>
                  {nameOf(recipient)}
                </a>
              </td>
              <td>
                <State {...stateOf(recipient)} />
              </td>
              <td>{recipient.user}</td>
              <td>{recipient.messageMediaInstance?.name}</td>
              <td>{recipient.messageRecipientGroups.map(({ name }) => name).join(", ")}</td>
              <td>{hoursOf(recipient) ?? <span class="dim">{text.always}</span>}</td>
              <RowButtons
                name={`${nameOf(recipient)} (${recipient.user})`}
                isOn={recipient.isOn}
                mayTurn={mayCall(RECIPIENTS.update)}
                mayRemove={mayCall(RECIPIENTS.remove)}
                onDo={(what) => setDoing({ what, row: recipient })}
              />
            </tr>
          )}
        </LoadedList>
      </div>
      {doing?.what === "turn" && (
        <TurnDialog
          name={nameOf(doing.row)}
          isOn={doing.row.isOn}
          offHelp={text.turnOffRecipient}
          onAct={() => turn(doing.row)}
          onClose={close}
        />
      )}
      {doing?.what === "remove" && (
        <RemoveDialog
          name={nameOf(doing.row)}
          help={fill(text.removeRecipientHelp, { name: nameOf(doing.row), address: doing.row.user })}
          onAct={() => remove(doing.row)}
          onClose={close}
        />
      )}
    </>
  );
}

function stateOf({ isOn, messageMediaInstance }: Recipient) {
  const { value: text } = texts;
  if (!isOn) return { kind: "idle", text: text.off } as const;
  if (messageMediaInstance?.isOn === false) return { kind: "warn", text: text.channelOff } as const;
  return { kind: "ok", text: text.on } as const;
}
