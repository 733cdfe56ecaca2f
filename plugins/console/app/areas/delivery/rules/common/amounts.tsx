import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../../../parts/forms/field.tsx";
import { fill } from "../../../../texts/fill.ts";
import { count } from "../../../../texts/mod.ts";
import { texts } from "./texts.ts";

/** A number with its unit. */
export interface Amount {
  readonly count?: number | string;
  readonly unit?: string;
}

type Unit = keyof typeof texts.value.units;

export const SIZES = ["byte", "kb", "mb", "gb", "tb", "pb", "eb"] as const;
export const DURATIONS = ["ms", "second", "minute", "hour", "day", "week"] as const;

interface AmountFieldProps {
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  readonly name: string;
  readonly error: string | undefined;
  readonly units: readonly Unit[];
  /** The unit of an amount that is not set. */
  readonly unit: Unit;
  readonly value: Amount | undefined;
  readonly onChange: (value: Amount | undefined) => void;
}

/** A number with its unit. Without a number, the amount is not set. */
export function AmountField(props: AmountFieldProps): JSX.Element {
  const { id, label, help, name, error, units, unit, value, onChange } = props;
  const { value: text } = texts;
  const [chosen, choose] = useState(value?.unit || unit);
  return (
    <Field id={id} label={label} names={[name]} error={error} {...help !== undefined && { help }}>
      {(control) => (
        <span class="amount">
          <input
            {...control}
            type="number"
            value={value?.count ?? ""}
            onInput={(event) => {
              const { value: typed, valueAsNumber } = event.currentTarget;
              onChange(typed === "" ? undefined : { count: valueAsNumber, unit: chosen });
            }}
          />
          <select
            aria-label={fill(text.unit, { name: label })}
            value={chosen}
            onChange={(event) => {
              choose(event.currentTarget.value);
              if (value !== undefined) onChange({ ...value, unit: event.currentTarget.value });
            }}
          >
            {units.map((one) => <option key={one} value={one}>{text.units[one]}</option>)}
          </select>
        </span>
      )}
    </Field>
  );
}

/** Writes an amount, such as `2 hours`; undefined if it is not set, or zero. */
export function amountText(amount: Amount | undefined): string | undefined {
  const number = Number(amount?.count ?? 0);
  if (number === 0) return undefined;
  const { unit = "" } = amount!;
  return `${count(number)} ${texts.value.units[unit as Unit] ?? unit}`;
}
