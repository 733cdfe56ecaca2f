import type { ComponentChildren, JSX } from "preact";
import { Dialog } from "../../../parts/dialog.tsx";
import { Moment } from "../../../parts/lists/moment.tsx";
import { State } from "../../../parts/state.tsx";
import { texts as common } from "../../../texts/mod.ts";
import { personOf, stateOf, type Task, TASK_KINDS } from "./task.ts";
import { texts } from "./texts.ts";

/** A message with its whole text, and what became of it. */
export function TaskDialog({ task, onClose }: { task: Task; onClose: () => void }): JSX.Element {
  const { value: text } = texts;
  const state = stateOf(task);
  const { error = "", response = "" } = task.result ?? {};
  const person = personOf(task);
  return (
    <Dialog title={task.subject} onClose={onClose}>
      <dl class="message">
        <Entry name={text.state}>
          <State kind={TASK_KINDS[state]} text={text.states[state]} />
        </Entry>
        {person !== undefined && <Entry name={text.recipient}>{person}</Entry>}
        <Entry name={text.address}>{task.user}</Entry>
        <Entry name={text.channel}>{task.messageMediaInstance?.name}</Entry>
        <Entry name={text.queued}>
          <Moment at={task.createdAt} />
        </Entry>
        {task.sentAt !== 0n && (
          <Entry name={text.sentAt}>
            <Moment at={task.sentAt} />
          </Entry>
        )}
        {error !== "" && <Entry name={text.error} isWide>{error}</Entry>}
        {response !== "" && <Entry name={text.response} isWide>{response}</Entry>}
        {task.body !== "" && (
          <Entry name={text.body} isWide>
            <div class="message-body">{task.body}</div>
          </Entry>
        )}
      </dl>
      <form method="dialog" class="actions">
        <button type="submit" class="btn">{common.value.close}</button>
      </form>
    </Dialog>
  );
}

interface EntryProps {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children?: ComponentChildren;
}

function Entry({ name, isWide, children }: EntryProps): JSX.Element {
  return (
    <div class={isWide ? "wide" : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
