import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../../texts/mod.ts";
import type { ControlProps } from "../forms/field.tsx";

interface SecretInputProps extends Partial<Omit<ControlProps, "id">> {
  readonly id: string;
  readonly value: string;
  readonly required?: boolean;
  /** The accessible name, if there is no label for the id. */
  readonly label?: string;
  readonly onInput: (value: string) => void;
}

/** A line of text that is hidden until the reader asks for it. */
export function SecretInput({ onInput, label, ...control }: SecretInputProps): JSX.Element {
  const [isShown, show] = useState(false);
  const input = {
    ...control,
    "aria-label": label,
    autocomplete: "new-password",
    spellcheck: false,
    onInput: (event: InputEvent) => onInput((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <span class="secret-input">
      {isShown ? <input {...input} type="text" /> : <input {...input} type="password" />}
      <button type="button" class="quiet" aria-pressed={isShown} onClick={() => show(!isShown)}>
        {isShown ? texts.value.hide : texts.value.show}
      </button>
    </span>
  );
}
