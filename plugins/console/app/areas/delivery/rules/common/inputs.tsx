import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../../../parts/forms/field.tsx";

interface InputProps<Value> {
  readonly id: string;
  readonly label: string;
  readonly help?: string | undefined;
  /** The fields of the request, as its errors name them. */
  readonly names: readonly string[];
  readonly error: string | undefined;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A line of text. */
export function TextField(
  { value, onChange, isRequired, isMono, ...field }: InputProps<string> & {
    readonly isRequired?: boolean;
    readonly isMono?: boolean;
  },
): JSX.Element {
  return (
    <Field {...helped(field)}>
      {(control) => (
        <input
          {...control}
          type="text"
          class={isMono ? "mono" : undefined}
          autocomplete="off"
          required={isRequired}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text. */
export function LongTextField({ value, onChange, ...field }: InputProps<string>): JSX.Element {
  return (
    <Field {...helped(field)}>
      {(control) => (
        <textarea
          {...control}
          class="mono"
          rows={3}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A number that may be left out. */
export function NumberField({ value, onChange, ...field }: InputProps<number | undefined>): JSX.Element {
  return (
    <Field {...helped(field)}>
      {(control) => (
        <input
          {...control}
          type="number"
          value={value ?? ""}
          onInput={(event) => {
            const { value: typed, valueAsNumber } = event.currentTarget;
            onChange(typed === "" ? undefined : valueAsNumber);
          }}
        />
      )}
    </Field>
  );
}

/** One of some values, each with its name. A stored value that is none of them stays until another one is chosen. */
export function ChoiceField(
  { value, onChange, values, nameOf, ...field }: InputProps<string> & {
    readonly values: readonly string[];
    readonly nameOf: (value: string) => string;
  },
): JSX.Element {
  const offered = values.includes(value) ? values : [value, ...values];
  return (
    <Field {...helped(field)}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {offered.map((one) => <option key={one} value={one}>{nameOf(one)}</option>)}
        </select>
      )}
    </Field>
  );
}

/** Several short values with blanks or commas between them. */
export function WordsField(
  { value, onChange, pattern, isLong, ...field }: InputProps<readonly string[]> & {
    readonly pattern?: string;
    readonly isLong?: boolean;
  },
): JSX.Element {
  const [typed, setTyped] = useState(value.join(" "));
  const common = {
    class: "mono",
    value: typed,
    onInput: (event: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      setTyped(event.currentTarget.value);
      onChange(wordsIn(event.currentTarget.value));
    },
  };
  return (
    <Field {...helped(field)}>
      {(control) =>
        isLong
          ? <textarea {...control} {...common} rows={3} />
          : <input {...control} {...common} type="text" autocomplete="off" pattern={pattern} />}
    </Field>
  );
}

/** Several values, one in each line, which may contain blanks. */
export function LinesField({ value, onChange, ...field }: InputProps<readonly string[]>): JSX.Element {
  const [typed, setTyped] = useState(value.join("\n"));
  return (
    <Field {...helped(field)}>
      {(control) => (
        <textarea
          {...control}
          class="mono"
          rows={Math.min(8, value.length + 2)}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            onChange(event.currentTarget.value.split("\n").map((line) => line.trim()).filter((line) => line !== ""));
          }}
        />
      )}
    </Field>
  );
}

/** A yes or no. */
export function CheckField(
  { label, value, onChange }: Pick<InputProps<boolean>, "label" | "value" | "onChange">,
): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} /> {label}
    </label>
  );
}

function wordsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

function helped<Props extends { readonly help?: string | undefined }>({ help, ...field }: Props) {
  return { ...field, ...help !== undefined && { help } };
}
