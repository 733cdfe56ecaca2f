import type { ComponentChildren, JSX } from "preact";
import { Dialog } from "../../../parts/dialog.tsx";
import { Moment } from "../../../parts/lists/moment.tsx";
import { State } from "../../../parts/state.tsx";
import { count, texts as common } from "../../../texts/mod.ts";
import { personOf, type Task } from "./task.ts";
import { texts } from "./texts.ts";

interface TaskDialogProps {
  readonly title: string;
  /** The message; undefined if it is gone. */
  readonly task: Task | undefined;
  readonly state: Parameters<typeof State>[0];
  /** The attempt to show; the last result of the message without it. */
  readonly attempt?: { readonly createdAt: bigint; readonly error: string; readonly response: string };
  readonly onClose: () => void;
}

/** A message with its whole text, and what became of it. */
export function TaskDialog({ title, task, state, attempt, onClose }: TaskDialogProps): JSX.Element {
  const { value: text } = texts;
  const { error = "", response = "" } = attempt ?? task?.result ?? {};
  const person = task && personOf(task);
  const [createdAt, sentAt] = [task?.createdAt ?? 0n, attempt?.createdAt ?? task?.sentAt ?? 0n];
  const nextAt = attempt === undefined && task?.status === 0 ? task.nextAttemptAt : 0n;
  return (
    <Dialog title={title} onClose={onClose}>
      <dl class="message">
        <Entry name={text.state}>
          <State {...state} />
        </Entry>
        {person !== undefined && <Entry name={text.recipient}>{person}</Entry>}
        {task?.user && <Entry name={text.address}>{task.user}</Entry>}
        {task?.messageMediaInstance && <Entry name={text.channel}>{task.messageMediaInstance.name}</Entry>}
        {createdAt !== 0n && (
          <Entry name={text.queued}>
            <Moment at={createdAt} />
          </Entry>
        )}
        {sentAt !== 0n && (
          <Entry name={attempt === undefined ? text.sentAt : text.attemptAt}>
            <Moment at={sentAt} />
          </Entry>
        )}
        {attempt === undefined && task !== undefined && task.attempts > 0 && (
          <Entry name={text.attempts}>{count(task.attempts)}</Entry>
        )}
        {nextAt !== 0n && (
          <Entry name={text.nextAttempt}>
            <Moment at={nextAt} />
          </Entry>
        )}
        {error !== "" && <Entry name={text.error} isWide>{error}</Entry>}
        {response !== "" && <Entry name={text.response} isWide>{response}</Entry>}
        {task?.body && (
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
