import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Operation } from "../api/model.ts";
import { messageOf } from "../parts/failure.tsx";
import { type Draft, requestOf } from "../parts/draft.ts";
import { FormFields } from "../parts/form.tsx";
import { replacer } from "../parts/value.tsx";
import { call } from "../shell/call.ts";
import { linkTo, route } from "../shell/route.ts";
import { commentOf, operations } from "../shell/state.ts";
import { texts } from "../texts/mod.ts";
import { type SampleLanguage, SAMPLES } from "./samples.ts";

/** Every operation that the reader may call: its text, a form, the call in other languages, and its answer. */
export default function ExplorerPage(): JSX.Element {
  const [, service, name] = route.value.steps;
  const [typed, setTyped] = useState("");
  const chosen = operations.value.find(({ service: { name: own }, method }) =>
    own === service && method.localName === name
  );
  const shown = operations.value.filter(({ path }) => path.toLowerCase().includes(typed.trim().toLowerCase()));
  const byService = Map.groupBy(shown, ({ service: { name: own } }) => own);
  return (
    <>
      <div class="head">
        <h1>{texts.value.explorer}</h1>
        <span class="sp" />
        <span class="dim">{`${shown.length} ${texts.value.operations}`}</span>
      </div>
      <div class="explorer">
        <div class="panel tree">
          <input
            type="search"
            placeholder={texts.value.filter}
            aria-label={texts.value.filter}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          {[...byService].sort(([one], [other]) => one.localeCompare(other)).map(([own, list]) => (
            <details key={own} open={own === service || typed !== ""}>
              <summary>{own.replace(/Service$/, "")}</summary>
              {list.map(({ path, method }) => (
                <a
                  key={path}
                  href={linkTo(["explorer", own, method.localName])}
                  aria-current={own === service && method.localName === name ? "page" : undefined}
                >
                  {method.localName}
                </a>
              ))}
            </details>
          ))}
        </div>
        {chosen === undefined
          ? <p class="empty">{texts.value.search}</p>
          : <Call key={chosen.path} operation={chosen} />}
      </div>
    </>
  );
}

function Call({ operation }: { operation: Operation }): JSX.Element {
  const { input, parent, name } = operation.method;
  const [draft, setDraft] = useState<Draft>({});
  const [answer, setAnswer] = useState<string>();
  const [error, setError] = useState<string>();
  const [language, setLanguage] = useState<SampleLanguage>("curl");
  async function send(event: Event): Promise<void> {
    event.preventDefault();
    setError(undefined);
    try {
      setAnswer(JSON.stringify(await call(operation, requestOf(input, draft)), replacer, 2));
    } catch (caught) {
      setError(messageOf(caught));
    }
  }
  return (
    <form class="panel pad" onSubmit={send}>
      <h2 class="mono">{operation.path}</h2>
      <p class="dim">{commentOf(`${parent.typeName}.${name}`)}</p>
      <FormFields message={input} draft={draft} onChange={setDraft} error={error} />
      <div class="tabs" role="tablist">
        {Object.keys(SAMPLES).map((key) => (
          <button
            key={key}
            type="button"
            role="tab"
            aria-selected={key === language}
            onClick={() => setLanguage(key as SampleLanguage)}
          >
            {key}
          </button>
        ))}
      </div>
      <pre class="code">{sampleOf(operation, draft, language)}</pre>
      <div class="actions">
        <button type="submit" class="btn primary">{texts.value.send}</button>
      </div>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      {answer !== undefined && <pre class="code" aria-live="polite">{answer}</pre>}
    </form>
  );
}

function sampleOf(operation: Operation, draft: Draft, language: SampleLanguage): string {
  try {
    const request = JSON.stringify(requestOf(operation.method.input, draft), replacer);
    return SAMPLES[language](operation, request, location.origin);
  } catch (error) {
    return (error as Error).message;
  }
}
