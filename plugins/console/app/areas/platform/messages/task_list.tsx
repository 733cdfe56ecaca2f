import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { LIST_SIZE, LoadedList } from "../../../parts/lists/loaded_list.tsx";
import { Moment } from "../../../parts/lists/moment.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { FirstStep, useMissing } from "./first_steps.tsx";
import { TASKS } from "./paths.ts";
import { loadTasks, personOf, stateOf, type Task, TASK_KINDS, TASK_STATES, type TaskState } from "./task.ts";
import { TaskDialog } from "./task_dialog.tsx";
import { texts } from "./texts.ts";

const WAITING = TASK_STATES.indexOf("waiting");

/** The table of the messages in a state. */
export function TaskList({ state, onChanged }: { state: TaskState; onChanged: () => void }): JSX.Element {
  const [offset, setOffset] = useState(0);
  const [opened, setOpened] = useState<Task>();
  const [doing, setDoing] = useState<{ readonly what: "remove" | "repeat"; readonly task: Task }>();
  const page = useLoaded((signal) => loadTasks(state, offset, LIST_SIZE, signal), [state, offset]);
  const missing = useMissing();
  const { value: text } = texts;
  const isTried = state === "sent" || state === "failed";
  const close = () => setDoing(undefined);
  async function change(path: string, request: Record<string, unknown>): Promise<void> {
    await callPath(path, request);
    page.reload();
    onChanged();
  }
  const button = (what: "remove" | "repeat", label: string, title: string, task: Task) => (
    <button
      type="button"
      class="btn quiet"
      aria-label={fill(title, { name: task.subject })}
      onClick={() => setDoing({ what, task })}
    >
      {label}
    </button>
  );
  return (
    <>
      <LoadedList
        page={page}
        offset={offset}
        onMove={setOffset}
        empty={
          <>
            <p>{text.noTasks[state]}</p>
            {missing && <FirstStep missing={missing} />}
          </>
        }
        columns={[
          { name: text.subject },
          { name: text.recipient },
          { name: text.channel },
          { name: isTried ? text.sentAt : text.queued },
          { name: text.actions, isHidden: true },
        ]}
      >
        {(task) => (
          <tr key={task.id}>
            <td class="first subject">
              <button type="button" class="link main" onClick={() => setOpened(task)}>{task.subject}</button>
              {state !== "sent" && task.result?.error && <div class="error">{task.result.error}</div>}
            </td>
            <td>{[personOf(task), task.user].filter(Boolean).join(" · ")}</td>
            <td>{task.messageMediaInstance?.name}</td>
            <td>
              <Moment at={isTried ? task.sentAt : task.createdAt} />
            </td>
            <td class="buttons">
              {state === "failed" && mayCall(TASKS.change) &&
                button("repeat", text.queueAgain, text.queueAgainTitle, task)}
              {mayCall(TASKS.remove) && button("remove", text.remove, text.removeTaskTitle, task)}
            </td>
          </tr>
        )}
      </LoadedList>
      {opened && (
        <TaskDialog
          title={opened.subject}
          task={opened}
          state={{ kind: TASK_KINDS[stateOf(opened)], text: text.states[stateOf(opened)] }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {doing?.what === "remove" && (
        <ActionDialog
          title={fill(text.removeTaskTitle, { name: doing.task.subject })}
          action={text.removeTask}
          isDangerous
          onAct={() => change(TASKS.remove, { messageTaskId: doing.task.id })}
          onClose={close}
        >
          <p>{state === "waiting" ? text.removeTaskHelp.waiting : text.removeTaskHelp.other}</p>
        </ActionDialog>
      )}
      {doing?.what === "repeat" && (
        <ActionDialog
          title={fill(text.queueAgainTitle, { name: doing.task.subject })}
          action={text.queueAgain}
          onAct={() => change(TASKS.change, { messageTaskId: doing.task.id, status: WAITING })}
          onClose={close}
        >
          <p>{text.queueAgainHelp}</p>
        </ActionDialog>
      )}
    </>
  );
}
