import type { JSX } from "preact";
import { errorAbout } from "../../../parts/forms/error_about.ts";
import { Field } from "../../../parts/forms/field.tsx";
import { NumberField } from "../../../parts/forms/plain_fields.tsx";
import { fill } from "../../../texts/fill.ts";
import { NEW_RANGE, PRICES, RANGE_FIELDS, type RangeDraft } from "./draft.ts";
import type { PartProps } from "./part.ts";
import { texts } from "./texts.ts";

const TYPES = ["period", "traffic", "bandwidth"] as const;

/** How sites of the plan are paid. */
export function PricePart({ draft, error, onChange }: PartProps): JSX.Element {
  const { value: text } = texts;
  const type = TYPES.find((one) => one === draft.priceType) ?? "period";
  return (
    <section class="panel pad">
      <h2>{text.price}</h2>
      <Field id="plan-priceType" label={text.priceType} help={text.typeHelp[type]} names={["priceType"]} error={error}>
        {(control) => (
          <select
            {...control}
            value={draft.priceType}
            onChange={(event) => onChange({ priceType: event.currentTarget.value })}
          >
            {TYPES.map((one) => <option key={one} value={one}>{text.types[one]}</option>)}
          </select>
        )}
      </Field>
      {type === "period" && (
        <div class="field-grid">
          {PRICES.map((name) => (
            <NumberField
              key={name}
              id={`plan-${name}`}
              label={text.prices[name]}
              names={[name]}
              error={error}
              step={0.01}
              placeholder={text.noPrice}
              value={draft[name]}
              onInput={(value) => onChange({ [name]: value })}
            />
          ))}
        </div>
      )}
      {type === "traffic" && (
        <NumberField
          id="plan-pricePerGB"
          label={text.pricePerGB}
          names={["trafficPriceJSON"]}
          error={error}
          step="any"
          isRequired
          value={draft.pricePerGB}
          onInput={(pricePerGB) => onChange({ pricePerGB })}
        />
      )}
      {type === "bandwidth" && <Bandwidth draft={draft} error={error} onChange={onChange} />}
    </section>
  );
}

function Bandwidth({ draft: { percentile, ranges }, error, onChange }: PartProps): JSX.Element {
  const { value: text } = texts;
  const own = errorAbout(["bandwidthPriceJSON.ranges", "bandwidthPriceJSON"], error);
  const isAboutPercentile = errorAbout(["bandwidthPriceJSON.percentile"], error) !== undefined;
  const set = (index: number, changes: Partial<RangeDraft>) =>
    onChange({ ranges: ranges.with(index, { ...ranges[index]!, ...changes }) });
  return (
    <>
      <NumberField
        id="plan-percentile"
        label={text.percentile}
        help={text.percentileHelp}
        names={["bandwidthPriceJSON.percentile"]}
        error={error}
        min={1}
        max={100}
        isRequired
        value={percentile}
        onInput={(value) => onChange({ percentile: value })}
      />
      <fieldset class="rows">
        <legend>{text.ranges}</legend>
        <p class="help">{text.rangesHelp}</p>
        {ranges.map((range, index) => (
          <div key={index} class="row">
            {RANGE_FIELDS.map((name) => (
              <label key={name}>
                {text.range[name]}
                <input
                  type="number"
                  min={0}
                  step="any"
                  placeholder={text.rangePlaceholders[name]}
                  aria-label={fill(text.rangeLabel, { name: text.range[name], n: index + 1 })}
                  value={range[name]}
                  onInput={(event) => set(index, { [name]: event.currentTarget.value })}
                />
              </label>
            ))}
            {ranges.length > 1 && (
              <button
                type="button"
                class="btn quiet"
                aria-label={fill(text.removeRange, { n: index + 1 })}
                onClick={() => onChange({ ranges: ranges.toSpliced(index, 1) })}
              >
                {text.removeRow}
              </button>
            )}
          </div>
        ))}
        <button
          type="button"
          class="btn"
          onClick={() => onChange({ ranges: [...ranges, { ...NEW_RANGE, minMB: ranges.at(-1)?.maxMB || "0" }] })}
        >
          {text.addRange}
        </button>
      </fieldset>
      {own !== undefined && !isAboutPercentile && <p class="error" role="alert">{own}</p>}
    </>
  );
}
