import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../../parts/action_dialog.tsx";
import { Failure } from "../../../../parts/failure.tsx";
import { Field } from "../../../../parts/forms/field.tsx";
import { useLoaded } from "../../../../parts/loaded.ts";
import { Skeleton } from "../../../../parts/skeleton.tsx";
import { commentOf } from "../../../../shell/state.ts";
import { fill } from "../../../../texts/fill.ts";
import { count } from "../../../../texts/mod.ts";
import { loadGroups } from "../group.ts";
import { loadRecipients, nameOf } from "../recipient.ts";
import { addReceiver, ALL, type EventType, isLevel, LEVELS, subjectOf } from "./receiver.ts";
import type { Target } from "./target.ts";
import { texts } from "./texts.ts";

/** The recipients that are offered. */
const MAX_OFFERED = 1000;
const EVERYBODY = { keyword: "", group: "" };

interface ReceiverDialogProps {
  readonly target: Target;
  /** The kinds of events that the plugins declare. */
  readonly types: readonly EventType[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Names one more recipient or group who is told of events about a target. */
export function ReceiverDialog({ target, types, onDone, onClose }: ReceiverDialogProps): JSX.Element {
  const [type, setType] = useState("error");
  const [told, setTold] = useState("");
  const offered = useLoaded(async (signal) => {
    const [recipients, groups] = await Promise.all([
      loadRecipients(EVERYBODY, 0, MAX_OFFERED, signal),
      loadGroups(signal),
    ]);
    return { recipients, groups };
  }, []);
  const { value: text } = texts;
  const kinds = types.filter(({ roles }) => target.role === "" || roles.includes(target.role));
  async function add(): Promise<void> {
    const [kind = "", id = "0"] = told.split(" ");
    await addReceiver(target, type, {
      messageRecipientId: kind === "recipient" ? BigInt(id) : 0n,
      messageRecipientGroupId: kind === "group" ? BigInt(id) : 0n,
    });
    onDone();
  }
  const { recipients, groups } = offered.value ?? {};
  return (
    <ActionDialog title={text.add} action={text.add} isDisabled={told === ""} onAct={add} onClose={onClose}>
      <Field id="told-events" label={text.events} help={helpOf(type, types)} names={["recipientOptions"]}>
        {(control) => (
          <select {...control} value={type} onChange={(event) => setType(event.currentTarget.value)}>
            <option value={ALL}>{text.allEvents}</option>
            <optgroup label={text.byLevel}>
              {LEVELS.map((level) => <option key={level} value={level}>{text.levels[level]}</option>)}
            </optgroup>
            <optgroup label={text.byKind}>
              {kinds.map((kind) => (
                <option key={kind.type} value={kind.type}>{`${subjectOf(kind)} (${kind.type})`}</option>
              ))}
            </optgroup>
          </select>
        )}
      </Field>
      {offered.error !== undefined && <Failure error={offered.error} onRetry={offered.reload} />}
      {recipients === undefined && offered.error === undefined && <Skeleton rows={1} />}
      {recipients !== undefined && (
        <Field
          id="told-who"
          label={text.told}
          help={recipients.total > BigInt(MAX_OFFERED) ? fill(text.more, { n: count(MAX_OFFERED) }) : ""}
          names={[]}
        >
          {(control) => (
            <select
              {...control}
              required
              value={told}
              onChange={(event) => setTold(event.currentTarget.value)}
            >
              <option value="">{text.choose}</option>
              <optgroup label={text.recipients}>
                {recipients.rows.map((recipient) => (
                  <option key={recipient.id} value={`recipient ${recipient.id}`}>
                    {[...new Set([nameOf(recipient), recipient.user])].join(" · ")}
                  </option>
                ))}
              </optgroup>
              {groups !== undefined && groups.length > 0 && (
                <optgroup label={text.groups}>
                  {groups.map(({ id, name }) => <option key={id} value={`group ${id}`}>{name}</option>)}
                </optgroup>
              )}
            </select>
          )}
        </Field>
      )}
    </ActionDialog>
  );
}

/** When the events happen: the comment of their declaration. */
function helpOf(type: string, types: readonly EventType[]): string {
  const { value: text } = texts;
  if (type === ALL) return text.allHelp;
  if (isLevel(type)) return text.levelHelp;
  return commentOf(types.find((each) => each.type === type)?.dataType ?? "");
}
