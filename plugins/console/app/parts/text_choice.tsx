import type { JSX } from "preact";
import { valueText } from "../shell/names.ts";
import { texts } from "../texts/mod.ts";

interface TextChoiceProps {
  readonly id: string;
  /** The values to choose from; the first is empty if none need be chosen. */
  readonly values: readonly string[];
  readonly value: string;
  readonly isInvalid?: boolean;
  readonly describedBy?: string | undefined;
  readonly onInput: (value: string) => void;
}

/** Chooses one of the values that a text may have. A stored value that is none of them stays until it is changed. */
export function TextChoice({ id, values, value, isInvalid, describedBy, onInput }: TextChoiceProps): JSX.Element {
  const offered = values.includes(value) ? values : [value, ...values];
  return (
    <select
      id={id}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      value={value}
      onChange={(event) => onInput(event.currentTarget.value)}
    >
      {offered.map((one) => <option key={one} value={one}>{one === "" ? texts.value.none : valueText(one)}</option>)}
    </select>
  );
}
