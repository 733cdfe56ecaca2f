import type { JSX } from "preact";
import { errorAbout } from "../../../parts/forms/error_about.ts";
import { useLoaded } from "../../../parts/loaded.ts";
import { featureName, features } from "../../../parts/money/features.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import type { PartProps } from "./part.ts";
import { texts } from "./texts.ts";

interface Feature {
  readonly code: string;
  readonly name: string;
  /** True if a plan can grant it. */
  readonly supportPlan: boolean;
}

/** Loads the features that plugins contribute, as far as the reader may see them. */
async function loadContributed(signal: AbortSignal): Promise<readonly Feature[]> {
  const path = "UserService/findAllUserFeatureDefinitions";
  if (!mayCall(path)) return [];
  const all = (await callPath(path, {}, signal))["features"] as readonly Feature[];
  return all.filter(({ code, supportPlan }) => supportPlan && !(code in features.value));
}

/** The features that the sites of the plan have. */
export function FeaturePart({ draft, error, onChange }: PartProps): JSX.Element {
  const { value: text } = texts;
  const { hasFullFeatures, features: chosen } = draft;
  const own = errorAbout(["featuresJSON"], error);
  const contributed = useLoaded((signal) => loadContributed(signal), []).value ?? [];
  const codes = [...new Set([...Object.keys(features.value), ...contributed.map(({ code }) => code), ...chosen])];
  const nameOf = (code: string) => contributed.find((feature) => feature.code === code)?.name || featureName(code);
  const toggle = (code: string) =>
    onChange({ features: chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code] });
  return (
    <section class="panel pad">
      <h2>{text.features}</h2>
      <div class="choices" role="radiogroup" aria-label={text.features}>
        {[true, false].map((isFull) => (
          <label key={String(isFull)} class="check">
            <input
              type="radio"
              name="plan-features"
              checked={hasFullFeatures === isFull}
              onChange={() => onChange({ hasFullFeatures: isFull })}
            />
            {isFull ? text.everyFeature : text.someFeatures}
          </label>
        ))}
      </div>
      {!hasFullFeatures && (
        <fieldset class="choices boxes" aria-invalid={own !== undefined}>
          <legend class="hidden">{text.someFeatures}</legend>
          {codes.map((code) => (
            <label key={code} class="check">
              <input type="checkbox" checked={chosen.includes(code)} onChange={() => toggle(code)} />
              {nameOf(code)}
            </label>
          ))}
        </fieldset>
      )}
      {own !== undefined && <p class="error" role="alert">{own}</p>}
    </section>
  );
}
