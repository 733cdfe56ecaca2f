import type { JSX } from "preact";
import type { ControlProps } from "../../../parts/forms/field.tsx";
import { isObject, type Json, withItem } from "../../../parts/json/value.ts";
import { SecretInput } from "../../../parts/secrets/secret_input.tsx";
import { isSecretHeader } from "../../../parts/secrets/secret_names.ts";
import { fill } from "../../../texts/fill.ts";
import { texts } from "./channel_texts.ts";

interface PairsProps {
  readonly control: ControlProps;
  readonly label: string;
  readonly value: readonly Json[];
  readonly onChange: (value: Json) => void;
}

/** A list of names with values, such as headers. The values of those that are secret are hidden. */
export function Pairs({ control, label, value, onChange }: PairsProps): JSX.Element {
  const { value: text } = texts;
  const pairs = value.map((item) => {
    const { name = "", value: own = "" } = isObject(item) ? item : {};
    return { name: String(name), value: String(own) };
  });
  return (
    <div {...control} class="pairs" role="group" aria-label={label}>
      {pairs.map((pair, index) => {
        const place = `${label} ${index + 1}`;
        const set = (changes: Partial<typeof pair>) => onChange(withItem(value, index, { ...pair, ...changes }));
        return (
          <div key={index} class="pair">
            <input
              aria-label={`${place}: ${text.pairName}`}
              placeholder={text.pairName}
              autocomplete="off"
              value={pair.name}
              onInput={(event) => set({ name: event.currentTarget.value })}
            />
            {isSecretHeader(pair.name)
              ? (
                <SecretInput
                  id={`${control.id}-${index}`}
                  label={`${place}: ${text.pairValue}`}
                  value={pair.value}
                  onInput={(typed) => set({ value: typed })}
                />
              )
              : (
                <input
                  aria-label={`${place}: ${text.pairValue}`}
                  placeholder={text.pairValue}
                  autocomplete="off"
                  value={pair.value}
                  onInput={(event) => set({ value: event.currentTarget.value })}
                />
              )}
            <button
              type="button"
              class="btn quiet"
              aria-label={fill(text.removePair, { name: place })}
              onClick={() => onChange(value.length === 1 ? null : withItem(value, index, null))}
            >
              ✕
            </button>
          </div>
        );
      })}
      <button type="button" class="btn unset" onClick={() => onChange([...value, { name: "", value: "" }])}>
        {text.addPair}
      </button>
    </div>
  );
}
