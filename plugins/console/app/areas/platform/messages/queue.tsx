import type { JSX } from "preact";
import { useLoaded } from "../../../parts/loaded.ts";
import { linkTo } from "../../../shell/route.ts";
import { count } from "../../../texts/mod.ts";
import { MessagesHead } from "./head.tsx";
import { countTasks, TASK_STATES } from "./task.ts";
import { TaskList } from "./task_list.tsx";
import { texts } from "./texts.ts";

/** The messages in one state, and the ways to those in other states. */
export function Queue({ step }: { readonly step: string | undefined }): JSX.Element {
  const state = TASK_STATES.find((known) => known === step) ?? "waiting";
  const counts = useLoaded(countTasks, [state]);
  const { value: text } = texts;
  return (
    <>
      <MessagesHead tab="queue" />
      <div class="panel">
        <div class="bar" role="navigation" aria-label={text.state}>
          {TASK_STATES.map((one) => (
            <a
              key={one}
              class={one === state ? "chip on" : "chip"}
              aria-current={one === state ? "page" : undefined}
              href={linkTo(["messages", "queue", one])}
            >
              {text.states[one]} {counts.value && <b>{count(counts.value[one])}</b>}
            </a>
          ))}
        </div>
        <TaskList key={state} state={state} onChanged={counts.reload} />
      </div>
    </>
  );
}
