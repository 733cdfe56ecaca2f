import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { mayCall, session } from "../../../shell/state.ts";
import { plural, texts as common } from "../../../texts/mod.ts";
import { Accounts } from "./accounts.tsx";
import { AddDialog, HistoryDialog, RemoveDialog, RunDialog } from "./dialogs.tsx";
import { RevokeDialog } from "./revoke_dialog.tsx";
import { type Doing, loadTasks } from "./task.ts";
import { TaskRows } from "./task_rows.tsx";
import { texts } from "./texts.ts";

const SIZE = 20;

/** The tasks that obtain certificates, with the words of providers where they failed, and the ACME users. */
export default function ACMEPage(): JSX.Element {
  const [isOfUsers, setOfUsers] = useState(false);
  const [offset, setOffset] = useState(0);
  const [doing, setDoing] = useState<Doing>();
  const page = useLoaded((signal) => loadTasks(isOfUsers, offset, SIZE, signal), [isOfUsers, offset]);
  const { value: text } = texts;
  const dialog = { onDone: page.reload, onClose: () => setDoing(undefined) };
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {mayCall("ACMETaskService/createACMETask") && (
          <button
            type="button"
            class="btn primary"
            onClick={() => setDoing({ what: "add" })}
          >
            {text.add}
          </button>
        )}
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        {session.value?.type === "admin" && (
          <div class="bar">
            <button
              type="button"
              class={isOfUsers ? "chip on" : "chip"}
              aria-pressed={isOfUsers}
              onClick={() => {
                setOffset(0);
                setOfUsers(!isOfUsers);
              }}
            >
              {text.ofCustomers}
            </button>
          </div>
        )}
        {page.error !== undefined && <Failure error={page.error} onRetry={page.reload} />}
        {page.value === undefined && page.error === undefined && <Skeleton rows={4} />}
        {page.value?.tasks.length === 0 && <p class="empty">{text.empty}</p>}
        {page.value !== undefined && page.value.tasks.length > 0 && (
          <>
            <TaskRows tasks={page.value.tasks} onDo={setDoing} />
            <div class="pager">
              <span class="dim">{plural(text.total, page.value.total)}</span>
              <span class="sp" />
              <button type="button" class="btn" disabled={offset === 0} onClick={() => setOffset(offset - SIZE)}>
                {common.value.previous}
              </button>
              <button
                type="button"
                class="btn"
                disabled={offset + SIZE >= page.value.total}
                onClick={() => setOffset(offset + SIZE)}
              >
                {common.value.next}
              </button>
            </div>
          </>
        )}
      </div>
      <Accounts />
      {doing?.what === "add" && <AddDialog {...dialog} />}
      {doing?.what === "run" && <RunDialog task={doing.task!} {...dialog} />}
      {doing?.what === "history" && <HistoryDialog task={doing.task!} onClose={dialog.onClose} />}
      {doing?.what === "revoke" && <RevokeDialog task={doing.task!} {...dialog} />}
      {doing?.what === "remove" && <RemoveDialog task={doing.task!} {...dialog} />}
    </>
  );
}
