import type { JSX } from "preact";

interface TextInputProps {
  readonly id: string;
  readonly name?: string;
  readonly isSecret: boolean;
  readonly autocomplete: string;
  readonly value?: string;
  readonly isRequired?: boolean;
  readonly isInvalid?: boolean;
  readonly describedBy?: string | undefined;
  readonly onInput?: (value: string) => void;
}

/** A line of text, hidden as it is typed if it is secret. */
export function TextInput(
  { id, name, isSecret, autocomplete, value, isRequired, isInvalid, describedBy, onInput }: TextInputProps,
): JSX.Element {
  const common = {
    id,
    name,
    autocomplete,
    value,
    required: isRequired,
    "aria-invalid": isInvalid,
    "aria-describedby": describedBy,
    onInput: (event: InputEvent) => onInput?.((event.currentTarget as HTMLInputElement).value),
  };
  return isSecret ? <input {...common} type="password" /> : <input {...common} type="text" />;
}
