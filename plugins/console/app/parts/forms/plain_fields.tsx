import type { JSX } from "preact";
import { Field } from "./field.tsx";

interface PlainFieldProps {
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  /** The fields of the request that the control sets. */
  readonly names: readonly string[];
  readonly error: string | undefined;
  readonly value: string;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  readonly onInput: (value: string) => void;
}

/** A line of text with its label, help and error. */
export function TextField(
  { value, isRequired, isDisabled, onInput, ...field }: PlainFieldProps,
): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="text"
          autocomplete="off"
          required={isRequired}
          disabled={isDisabled}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A day with its label, help and error. */
export function DayField({ value, isRequired, isDisabled, onInput, ...field }: PlainFieldProps): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="date"
          required={isRequired}
          disabled={isDisabled}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text with their label, help and error. */
export function AreaField(
  { value, isRequired, isDisabled, rows = 3, onInput, ...field }: PlainFieldProps & { readonly rows?: number },
): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          required={isRequired}
          disabled={isDisabled}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A number with its label, help and error; an empty one is what the help says. */
export function NumberField(
  { value, isRequired, isDisabled, min = 0, max, step = 1, placeholder, onInput, ...field }: PlainFieldProps & {
    readonly min?: number;
    readonly max?: number;
    readonly step?: number | "any";
    /** What an empty field means. */
    readonly placeholder?: string;
  },
): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="number"
          min={min}
          max={max}
          step={step}
          placeholder={placeholder}
          required={isRequired}
          disabled={isDisabled}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface CheckFieldProps {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A box to check, with its help. */
export function CheckField({ id, label, help, isChecked, onChange }: CheckFieldProps): JSX.Element {
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={isChecked}
          aria-describedby={`${id}-help`}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      <p class="help" id={`${id}-help`}>{help}</p>
    </div>
  );
}
