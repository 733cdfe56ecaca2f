import type { JSX } from "preact";
import { CodeEditor } from "../../../parts/code/code_editor.tsx";
import { type ControlProps, Field } from "../../../parts/forms/field.tsx";
import { isObject, type Json, type JsonObject, parsed, withField, written } from "../../../parts/json/value.ts";
import { SecretInput } from "../../../parts/secrets/secret_input.tsx";
import { type Param, paramsOfKind } from "./channel_params.ts";
import { texts } from "./channel_texts.ts";
import { Pairs } from "./pairs.tsx";

/** What the server shows in the place of a stored secret; sent back, it keeps the secret. */
const MASK = "******";

interface ParamFieldsProps {
  /** The kind of the channel. */
  readonly type: string;
  /** The parameters as JSON. */
  readonly value: string;
  readonly error: string | undefined;
  readonly onInput: (value: string) => void;
}

/** The parameters of a channel: a field for each, or the JSON itself if the form does not know the kind. */
export function ParamFields({ type, value, error, onInput }: ParamFieldsProps): JSX.Element {
  const { value: text } = texts;
  const [params, object] = [paramsOfKind(type), parsed(value) ?? {}];
  if (params === undefined || !isObject(object)) {
    return (
      <Field
        id="channel-params"
        label={text.parameters}
        help={text.parametersHelp}
        names={["paramsJSON"]}
        error={error}
        isGroup
      >
        {() => <CodeEditor label={text.parameters} language="json" value={value} onInput={onInput} />}
      </Field>
    );
  }
  return (
    <fieldset class="part">
      <legend>{text.parameters}</legend>
      {params.filter((param) => isShown(param, params, object)).map((param) => (
        <ParamField
          key={param.name}
          param={param}
          value={object[param.name] ?? null}
          error={error}
          onChange={(next) => onInput(written(withField(object, param.name, next)) || "{}")}
        />
      ))}
    </fieldset>
  );
}

/** True if the parameter matters, as the others are. */
function isShown({ when }: Param, params: readonly Param[], object: JsonObject): boolean {
  if (when === undefined) return true;
  const [name, wanted] = when;
  const first = params.find((param) => param.name === name)?.values?.[0];
  return (object[name] || first) === wanted;
}

interface ParamFieldProps {
  readonly param: Param;
  readonly value: Json;
  readonly error: string | undefined;
  readonly onChange: (value: Json) => void;
}

function ParamField({ param, value, error, onChange }: ParamFieldProps): JSX.Element {
  const { name, control: kind } = param;
  const { label, help } = (texts.value.params as Readonly<Record<string, { label: string; help: string }>>)[name]!;
  const id = `channel-param-${name}`;
  const input = (text: string) => onChange(text === "" ? null : text);
  return (
    <Field
      id={id}
      label={label}
      help={kind === "secret" && value === MASK ? [help, texts.value.stored].filter(Boolean).join(" ") : help}
      names={[`paramsJSON.${name}`]}
      error={error}
      isGroup={kind === "pairs"}
    >
      {(control) =>
        kind === "pairs"
          ? <Pairs control={control} label={label} value={Array.isArray(value) ? value : []} onChange={onChange} />
          : <Single control={control} param={param} value={typeof value === "string" ? value : ""} onInput={input} />}
    </Field>
  );
}

interface SingleProps {
  readonly control: ControlProps;
  readonly param: Param;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Single({ control, param, value, onInput }: SingleProps): JSX.Element {
  const { isRequired = false, example, values = [] } = param;
  const common = {
    ...control,
    value,
    required: isRequired,
    onInput: (event: Event) => onInput((event.currentTarget as HTMLInputElement).value),
  };
  switch (param.control) {
    case "secret":
      return <SecretInput {...control} value={value} required={isRequired} onInput={onInput} />;
    case "long":
      return <textarea {...common} class="mono" rows={5} />;
    case "choice":
      return (
        <select {...control} value={value || values[0]} onChange={(event) => onInput(event.currentTarget.value)}>
          {values.map((one) => <option key={one} value={one}>{nameOfValue(one)}</option>)}
        </select>
      );
    default:
      return <input {...common} autocomplete="off" placeholder={example} />;
  }
}

function nameOfValue(value: string): string {
  return (texts.value.values as Readonly<Record<string, string>>)[value] ?? value;
}
