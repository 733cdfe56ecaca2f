import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Draft, draftOf, requestOf } from "../../../parts/draft.ts";
import { Failure, messageOf } from "../../../parts/failure.tsx";
import { FormFields } from "../../../parts/form.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { call, callPath } from "../../../shell/call.ts";
import { mayCall, operations } from "../../../shell/state.ts";
import { texts as shared } from "../../../texts/mod.ts";
import { texts } from "./texts.ts";

/** Settings of the whole installation that a service keeps. */
interface ServedForm {
  readonly title: "reportNodes";
  readonly read: string;
  readonly update: string;
}

const FORMS: readonly ServedForm[] = [{
  title: "reportNodes",
  read: "ReportNodeService/readReportNodeGlobalSetting",
  update: "ReportNodeService/updateReportNodeGlobalSetting",
}];

/** Returns the forms that the reader can use. */
export function servedForms(): readonly ServedForm[] {
  return FORMS.filter(({ read, update }) => mayCall(read) && mayCall(update));
}

/** The form of settings, filled with what they are now. */
export function SettingsForm({ form }: { form: ServedForm }): JSX.Element {
  const operation = operations.value.find(({ path }) => path === `/${form.update}`)!;
  const { input } = operation.method;
  const current = useLoaded((signal) => callPath(form.read, {}, signal), [form.read]);
  const [draft, setDraft] = useState<Draft>({});
  const [outcome, setOutcome] = useState<"saving" | "saved" | { readonly error: string }>();
  const { value: text } = texts;
  useEffect(() => {
    if (current.value !== undefined) setDraft(draftOf(input, current.value));
  }, [current.value]);
  if (current.error !== undefined) return <Failure error={current.error} onRetry={current.reload} />;
  if (current.value === undefined) return <Skeleton rows={4} />;
  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setOutcome("saving");
    try {
      await call(operation, requestOf(input, draft));
      setOutcome("saved");
    } catch (error) {
      setOutcome({ error: messageOf(error) });
    }
  }
  const error = typeof outcome === "object" ? outcome.error : undefined;
  return (
    <form class="panel pad" aria-label={text.forms[form.title]} onSubmit={save}>
      <h2>{text.forms[form.title]}</h2>
      <FormFields
        message={input}
        draft={draft}
        onChange={(changed) => {
          setDraft(changed);
          setOutcome(undefined);
        }}
        error={error}
      />
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      <div class="actions start">
        <button type="submit" class="btn primary" disabled={outcome === "saving"}>{shared.value.save}</button>
        <span class="dim" role="status">{outcome === "saved" && text.saved}</span>
      </div>
    </form>
  );
}
