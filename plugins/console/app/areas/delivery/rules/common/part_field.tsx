import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../../../parts/forms/field.tsx";
import { paramTexts } from "./param_texts.ts";
import { chosenOf, expressionOf, isNamed, type ParamName } from "./params.ts";
import { texts } from "./texts.ts";

interface PartFieldProps {
  readonly id: string;
  /** The fields of the request, as its errors name them. */
  readonly names: readonly string[];
  readonly error: string | undefined;
  readonly offered: readonly ParamName[];
  /** The compared part, such as `${requestURI}`. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const EXPRESSION = "";

/** The part of a request or a response that a rule compares. */
export function PartField({ id, names, error, offered, value, onChange }: PartFieldProps): JSX.Element {
  const [isTyped, setTyped] = useState(() => "expression" in chosenOf(value, offered));
  const chosen = isTyped ? { expression: value } : chosenOf(value, offered);
  const { value: text } = texts;
  const choose = (param: string) => {
    setTyped(param === EXPRESSION);
    if (param !== EXPRESSION) onChange(expressionOf({ param: param as ParamName, name: "" }));
  };
  return (
    <Field
      id={id}
      label={text.part}
      names={names}
      error={error}
      {..."expression" in chosen && { help: text.expressionHelp }}
    >
      {(control) => (
        <>
          <select
            {...control}
            value={"param" in chosen ? chosen.param : EXPRESSION}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {offered.map((param) => <option key={param} value={param}>{paramTexts.value[param]}</option>)}
            <option value={EXPRESSION}>{text.expression}</option>
          </select>
          {"expression" in chosen && (
            <input
              type="text"
              class="mono"
              aria-label={text.expression}
              required
              value={chosen.expression}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
          )}
          {"param" in chosen && isNamed(chosen.param) && (
            <input
              type="text"
              class="mono"
              aria-label={text.nameOf}
              placeholder={text.nameOf}
              required
              value={chosen.name}
              onInput={(event) => onChange(expressionOf({ ...chosen, name: event.currentTarget.value }))}
            />
          )}
        </>
      )}
    </Field>
  );
}
