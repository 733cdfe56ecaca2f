import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { language } from "../../../texts/mod.ts";
import { loadTodos } from "./todos.ts";
import { texts } from "./texts.ts";

/** A list of what the customer should do, with the places to do it. */
export default function Attention(): JSX.Element {
  const todos = useLoaded(loadTodos, [language.value]);
  return (
    <section class="panel card">
      <h2>{texts.value.attention}</h2>
      {todos.error !== undefined && <Failure error={todos.error} onRetry={todos.reload} />}
      {todos.value === undefined && todos.error === undefined && <Skeleton rows={2} />}
      {todos.value?.length === 0 && (
        <p class="todo">
          <State kind="ok" text="OK" /> {texts.value.nothingToDo}
        </p>
      )}
      {todos.value !== undefined && todos.value.length > 0 && (
        <ul class="todos">
          {todos.value.map(({ kind, text, action, link }) => (
            <li key={text} class={`todo ${kind}`}>
              <span>{text}</span>
              {link !== "" && <a class="btn" href={link}>{action}</a>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
