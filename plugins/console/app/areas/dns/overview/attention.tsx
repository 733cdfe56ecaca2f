import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { language } from "../../../texts/mod.ts";
import { loadMatters } from "./matters.ts";
import { texts } from "./texts.ts";

/** The list of what is wrong, each line with the place that mends it. */
export default function Attention(): JSX.Element {
  const { value: text } = texts;
  const matters = useLoaded(loadMatters, [language.value]);
  return (
    <section class="panel card">
      <h2>{text.attention}</h2>
      {matters.error !== undefined && <Failure error={matters.error} onRetry={matters.reload} />}
      {matters.value === undefined && matters.error === undefined && <Skeleton rows={2} />}
      {matters.value?.length === 0 && (
        <p class="todo">
          <State kind="ok" text="OK" /> {text.allWell}
        </p>
      )}
      {matters.value !== undefined && matters.value.length > 0 && (
        <ul class="todos">
          {matters.value.map(({ kind, text, action, link }) => (
            <li key={text} class={`todo ${kind}`}>
              <span>{text}</span>
              <a class="btn" href={link} aria-label={`${action}: ${text}`}>{action}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
