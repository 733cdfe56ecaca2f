import type { JSX } from "preact";
import { Field } from "../../../parts/forms/field.tsx";
import type { SizeDraft } from "./draft.ts";
import { texts } from "./texts.ts";

const BYTES = ["byte", "kb", "mb", "gb", "tb", "pb", "eb"];
const BITS = ["b", "kb", "mb", "gb", "tb", "pb", "eb"];
const BIT_TEXTS = ["bit/s", "Kbit/s", "Mbit/s", "Gbit/s", "Tbit/s", "Pbit/s", "Ebit/s"];

interface SizeFieldProps {
  readonly id: string;
  readonly label: string;
  /** The field of the request, as errors of the server name it. */
  readonly name: string;
  readonly error: string | undefined;
  readonly isRate?: boolean;
  readonly value: SizeDraft;
  readonly onInput: (value: SizeDraft) => void;
}

/** An amount with its unit; an empty one means no limit. */
export function SizeField({ id, label, name, error, isRate, value, onInput }: SizeFieldProps): JSX.Element {
  const units = isRate ? BITS : BYTES;
  return (
    <Field id={id} label={label} names={[name]} error={error}>
      {(control) => (
        <span class="sized">
          <input
            {...control}
            type="number"
            min={0}
            step={1}
            placeholder={texts.value.noLimit}
            value={value.count}
            onInput={(event) => onInput({ ...value, count: event.currentTarget.value })}
          />
          <select
            aria-label={`${label}: ${texts.value.unit}`}
            value={value.unit}
            onChange={(event) => onInput({ ...value, unit: event.currentTarget.value })}
          >
            {units.map((unit, step) => (
              <option key={unit} value={unit}>
                {isRate ? BIT_TEXTS[step] : step === 0 ? "B" : unit.toUpperCase()}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  );
}
