import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { LIST_SIZE, LoadedList } from "../../../../parts/lists/loaded_list.tsx";
import { Moment } from "../../../../parts/lists/moment.tsx";
import { useLoaded } from "../../../../parts/loaded.ts";
import { State } from "../../../../parts/state.tsx";
import { fill } from "../../../../texts/fill.ts";
import { MessagesHead } from "../head.tsx";
import { personOf } from "../task.ts";
import { TaskDialog } from "../task_dialog.tsx";
import { texts } from "../texts.ts";
import { type Attempt, loadAttempts } from "./attempt.ts";

/** Each attempt to send a message, with the provider's own words. */
export function Attempts(): JSX.Element {
  const [offset, setOffset] = useState(0);
  const [opened, setOpened] = useState<Attempt>();
  const page = useLoaded((signal) => loadAttempts(offset, LIST_SIZE, signal), [offset]);
  const { value: text } = texts;
  return (
    <>
      <MessagesHead tab="attempts" />
      <div class="panel">
        <LoadedList
          page={page}
          offset={offset}
          onMove={setOffset}
          empty={<p>{text.noAttempts}</p>}
          columns={[
            { name: text.subject },
            { name: text.result },
            { name: text.recipient },
            { name: text.channel },
            { name: text.attemptAt },
          ]}
        >
          {(attempt) => (
            <tr key={attempt.id}>
              <td class="first subject">
                <button type="button" class="link main" onClick={() => setOpened(attempt)}>{subjectOf(attempt)}</button>
                {!attempt.isOk && attempt.error !== "" && <div class="error">{attempt.error}</div>}
                {attempt.isOk && attempt.response !== "" && <div class="words">{attempt.response}</div>}
              </td>
              <td>
                <State {...stateOf(attempt)} />
              </td>
              <td>{attempt.messageTask && recipientOf(attempt)}</td>
              <td>{attempt.messageTask?.messageMediaInstance?.name}</td>
              <td>
                <Moment at={attempt.createdAt} />
              </td>
            </tr>
          )}
        </LoadedList>
      </div>
      {opened && (
        <TaskDialog
          title={subjectOf(opened)}
          task={opened.messageTask}
          state={stateOf(opened)}
          attempt={opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

function subjectOf({ id, messageTask }: Attempt): string {
  return messageTask?.subject || fill(texts.value.goneMessage, { id: String(messageTask?.id ?? id) });
}

function recipientOf({ messageTask }: Attempt): string {
  return [personOf(messageTask!), messageTask!.user].filter(Boolean).join(" · ");
}

function stateOf({ isOk }: Attempt) {
  const { value: text } = texts;
  return isOk ? { kind: "ok", text: text.states.sent } as const : { kind: "bad", text: text.states.failed } as const;
}
