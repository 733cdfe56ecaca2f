import type { JSX } from "preact";
import { errorAbout } from "../../../parts/forms/error_about.ts";
import { fill } from "../../../texts/fill.ts";
import type { QuotaDraft } from "./draft.ts";
import type { PartProps } from "./part.ts";
import { texts } from "./texts.ts";

/** The numbers of objects that users with the plan may have. */
export function QuotaPart({ draft: { quotas }, error, onChange }: PartProps): JSX.Element {
  const { value: text } = texts;
  const own = errorAbout(["quotasJSON"], error);
  const known: Readonly<Record<string, string>> = text.quotaNames;
  const free = Object.keys(known).filter((name) => quotas.every((quota) => quota.name !== name));
  const set = (index: number, changes: Partial<QuotaDraft>) =>
    onChange({ quotas: quotas.with(index, { ...quotas[index]!, ...changes }) });
  return (
    <section class="panel pad">
      <h2>{text.quotas}</h2>
      <p class="help">{text.quotasHelp}</p>
      <div class="rows">
        {quotas.map(({ name, max }, index) => (
          <div key={index} class="row">
            <select
              aria-label={fill(text.quotaLabel, { n: index + 1 })}
              value={name}
              onChange={(event) => set(index, { name: event.currentTarget.value })}
            >
              {[name, ...free].map((one) => <option key={one} value={one}>{known[one] ?? one}</option>)}
            </select>
            <input
              type="number"
              min={0}
              step={1}
              required
              aria-label={fill(text.quotaMax, { name: known[name] ?? name })}
              value={max}
              onInput={(event) => set(index, { max: event.currentTarget.value })}
            />
            <button
              type="button"
              class="btn quiet"
              aria-label={fill(text.removeQuota, { name: known[name] ?? name })}
              onClick={() => onChange({ quotas: quotas.toSpliced(index, 1) })}
            >
              {text.removeRow}
            </button>
          </div>
        ))}
        {free.length > 0 && (
          <button
            type="button"
            class="btn"
            onClick={() => onChange({ quotas: [...quotas, { name: free[0]!, max: "" }] })}
          >
            {text.addQuota}
          </button>
        )}
      </div>
      {own !== undefined && <p class="error" role="alert">{own}</p>}
    </section>
  );
}
