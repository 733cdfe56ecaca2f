import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { IdChooser } from "../../../../parts/id_chooser.tsx";
import { ActionDialog } from "../../../../parts/action_dialog.tsx";
import { LIST_SIZE, LoadedList } from "../../../../parts/lists/loaded_list.tsx";
import { useLoaded } from "../../../../parts/loaded.ts";
import { callPath } from "../../../../shell/call.ts";
import { goTo, linkTo, route } from "../../../../shell/route.ts";
import { mayCall, resources } from "../../../../shell/state.ts";
import { fill } from "../../../../texts/fill.ts";
import { language } from "../../../../texts/mod.ts";
import { FirstStep, useMissing } from "../first_steps.tsx";
import { MessagesHead } from "../head.tsx";
import { RECEIVERS } from "../paths.ts";
import { nameOf } from "../recipient.ts";
import { texts as shared } from "../texts.ts";
import { EventName, nameOfType } from "./event_name.tsx";
import { loadReceivers, loadTypes, type Receiver } from "./receiver.ts";
import { ReceiverDialog } from "./receiver_dialog.tsx";
import { choiceOf, nounOfPlace, offeredPlaces, type PlaceKey, targetOf } from "./target.ts";
import { texts } from "./texts.ts";

/** Who is told of which events: of the installation, or of one cluster or node. The target is part of the address. */
export function Receivers(): JSX.Element {
  const choice = choiceOf(route.value.parameters);
  const { place, id } = choice;
  const target = targetOf(choice);
  const [offset, setOffset] = useState(0);
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Receiver>();
  const types = useLoaded(loadTypes, [language.value]);
  const page = useLoaded(async (signal) => {
    const all = await loadReceivers(target, signal);
    return { rows: all.slice(offset, offset + LIST_SIZE), total: BigInt(all.length) };
  }, [place, id, offset]);
  const missing = useMissing();
  const { value: text } = texts;
  const noun = nounOfPlace(place);
  const resource = resources.value.find((each) => each.noun === noun);
  const known = types.value ?? [];
  function show(about: PlaceKey, of: string): void {
    setOffset(0);
    goTo(linkTo(["messages", "told"], { about: about === "all" ? "" : about, id: of }));
  }
  async function stop({ id: messageReceiverId }: Receiver): Promise<void> {
    await callPath(RECEIVERS.remove, { messageReceiverId });
    page.reload();
  }
  return (
    <>
      <MessagesHead tab="told">
        {mayCall(RECEIVERS.update) && missing === undefined && (
          <button
            type="button"
            class="btn primary"
            onClick={() => setAdding(true)}
          >
            {text.add}
          </button>
        )}
      </MessagesHead>
      <div class="panel">
        <div class="bar">
          <label for="told-about">{text.about}</label>
          <select
            id="told-about"
            value={place}
            onChange={(event) => show(event.currentTarget.value as PlaceKey, "")}
          >
            {offeredPlaces().map((key) => <option key={key} value={key}>{text.places[key]}</option>)}
          </select>
          {resource !== undefined && (
            <span role="group" aria-label={text.places[place]}>
              <label class="hidden" for="told-object">{text.places[place]}</label>
              <IdChooser
                id="told-object"
                resource={resource}
                value={id}
                isInvalid={false}
                describedBy={undefined}
                emptyText={text.every}
                onInput={(of) => show(place, of)}
              />
            </span>
          )}
        </div>
        <LoadedList
          page={page}
          offset={offset}
          onMove={setOffset}
          empty={missing === undefined
            ? <p>{place === "all" ? text.none : text.noneOfTarget}</p>
            : <FirstStep missing={missing} />}
          columns={[{ name: text.events }, { name: text.told }, { name: shared.value.actions, isHidden: true }]}
        >
          {(receiver) => (
            <tr key={receiver.id}>
              <td class="first wraps">
                <EventName type={receiver.type} types={known} />
              </td>
              <td class="wraps">
                <Told {...receiver} />
              </td>
              <td class="buttons">
                {mayCall(RECEIVERS.remove) && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={fill(text.stopTitle, {
                      name: toldName(receiver),
                      events: nameOfType(receiver.type, known),
                    })}
                    onClick={() => setLeaving(receiver)}
                  >
                    {text.stop}
                  </button>
                )}
              </td>
            </tr>
          )}
        </LoadedList>
      </div>
      {isAdding && (
        <ReceiverDialog
          target={target}
          types={known}
          onDone={page.reload}
          onClose={() => setAdding(false)}
        />
      )}
      {leaving && (
        <ActionDialog
          title={fill(text.stopTitle, { name: toldName(leaving), events: nameOfType(leaving.type, known) })}
          action={text.stop}
          isDangerous
          onAct={() => stop(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{fill(text.stopHelp, { name: toldName(leaving) })}</p>
        </ActionDialog>
      )}
    </>
  );
}

function toldName({ messageRecipient, messageRecipientGroup }: Receiver): string {
  return messageRecipient === undefined ? messageRecipientGroup?.name ?? "" : nameOf(messageRecipient);
}

function Told({ messageRecipient, messageRecipientGroup: group }: Receiver): JSX.Element {
  if (messageRecipient === undefined) {
    return (
      <>
        <a class="link" href={linkTo(["messages", "recipients"], { group: String(group?.id ?? "") })}>{group?.name}</a>
        {" "}
        <span class="dim">{texts.value.group}</span>
      </>
    );
  }
  const { id, user, messageMediaInstance } = messageRecipient;
  return (
    <>
      <a class="link" href={linkTo(["messages", "recipients", id])}>{nameOf(messageRecipient)}</a>{" "}
      <span class="dim">{[user, messageMediaInstance?.name].filter(Boolean).join(" · ")}</span>
    </>
  );
}
