import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { textValuesOf } from "edgehelm/wire";
import type { JSX } from "preact";
import { words } from "../../shell/names.ts";
import { commentOf } from "../../shell/state.ts";
import { texts } from "../../texts/mod.ts";
import { CodeEditor } from "../code/code_editor.tsx";
import { IdChooser, IdsChooser, referredBy } from "../id_chooser.tsx";
import { SecretInput } from "../secrets/secret_input.tsx";
import { isSecretName } from "../secrets/secret_names.ts";
import { TextChoice } from "../text_choice.tsx";
import { Suggestions, suggestionsOf } from "./suggestions.tsx";
import { isObject, type Json, type JsonObject, moved, parsed, withField, withItem, written } from "./value.ts";

interface MessageFieldsProps {
  /** The start of the ids of the controls. */
  readonly id: string;
  readonly message: DescMessage;
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
}

/** The fields of an object inside JSON, as its message describes them. */
export function MessageFields({ id, message, value, onChange }: MessageFieldsProps): JSX.Element {
  return (
    <div class={isAmount(message) ? "amount" : "fields"}>
      {message.fields.map((field) => (
        <JsonField
          key={field.name}
          id={`${id}-${field.name}`}
          field={field}
          value={value[field.name] ?? null}
          onChange={(next) => onChange(withField(value, field.name, next))}
        />
      ))}
    </div>
  );
}

/** True for a number with its unit, which are shown in one line. */
function isAmount({ fields }: DescMessage): boolean {
  return fields.length === 2 && fields[0]!.name === "count" && fields[1]!.name === "unit";
}

interface JsonFieldProps {
  readonly id: string;
  readonly field: DescField;
  readonly value: Json;
  readonly onChange: (value: Json) => void;
}

function JsonField({ id, field, value, onChange }: JsonFieldProps): JSX.Element {
  const help = commentOf(`${field.parent.typeName}.${field.name}`);
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.BOOL) {
    return (
      <label class="check" title={help}>
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        {words(field.name)}
      </label>
    );
  }
  if (isPart(field)) return <Part id={id} field={field} value={value} onChange={onChange} />;
  return (
    <div class="field">
      <label for={id} title={help}>{words(field.name)}</label>
      <Plain id={id} field={field} value={value} onChange={onChange} />
    </div>
  );
}

/** True if the field has fields or items of its own. */
function isPart({ message, fieldKind }: DescField): boolean {
  return message !== undefined && fieldKind !== "map" && !message.typeName.startsWith("google.protobuf.");
}

/** An object or a list of objects inside the object. An object that is not set has a button instead of its fields. */
function Part({ id, field, value, onChange }: JsonFieldProps): JSX.Element {
  const name = words(field.name);
  const message = field.message!;
  if (field.fieldKind === "list") {
    return (
      <fieldset>
        <legend>{name}</legend>
        <ListOf id={id} message={message} value={Array.isArray(value) ? value : []} onChange={onChange} />
      </fieldset>
    );
  }
  if (!isObject(value)) {
    return (
      <div class="field">
        <button type="button" class="btn unset" onClick={() => onChange({})}>{`${texts.value.set} ${name}`}</button>
      </div>
    );
  }
  return (
    <fieldset>
      <legend>
        {name}
        <button type="button" class="quiet" aria-label={`${texts.value.unset} ${name}`} onClick={() => onChange(null)}>
          {texts.value.unset}
        </button>
      </legend>
      <MessageFields id={id} message={message} value={value} onChange={onChange} />
    </fieldset>
  );
}

function Plain({ id, field, value, onChange }: JsonFieldProps): JSX.Element {
  if (field.message !== undefined || field.fieldKind === "map") {
    const input = (text: string) => onChange(parsed(text) ?? null);
    return <CodeEditor label={words(field.name)} language="json" value={written(value)} onInput={input} />;
  }
  const resource = referredBy(field);
  if (field.fieldKind === "list" && resource !== undefined) {
    const lines = Array.isArray(value) ? value.map(String).join("\n") : "";
    const choose = (text: string) => onChange(text.trim() === "" ? null : text.trim().split("\n").map(Number));
    const common = { id, label: words(field.name), isInvalid: false, describedBy: undefined };
    return <IdsChooser {...common} resource={resource} value={lines} onInput={choose} />;
  }
  if (field.fieldKind === "list") return <Lines id={id} field={field} value={value} onChange={onChange} />;
  if (resource !== undefined) {
    const choose = (text: string) => onChange(text === "" ? null : Number(text));
    const common = { id, isInvalid: false, describedBy: undefined };
    return <IdChooser {...common} resource={resource} value={value === null ? "" : String(value)} onInput={choose} />;
  }
  if (field.scalar !== ScalarType.STRING) {
    return (
      <input
        id={id}
        type="number"
        step="any"
        value={value === null ? "" : String(value)}
        onInput={(event) => onChange(event.currentTarget.value === "" ? null : event.currentTarget.valueAsNumber)}
      />
    );
  }
  const values = textValuesOf(field);
  if (values.length > 0) {
    const choose = (text: string) => onChange(text === "" ? null : text);
    return <TextChoice id={id} values={values} value={value === null ? "" : String(value)} onInput={choose} />;
  }
  if (isSecretName(field.name)) {
    const type = (text: string) => onChange(text === "" ? null : text);
    return <SecretInput id={id} value={value === null ? "" : String(value)} onInput={type} />;
  }
  const suggestions = suggestionsOf(field);
  return (
    <>
      <input
        id={id}
        type="text"
        list={suggestions.length === 0 ? undefined : `${id}-list`}
        value={value === null ? "" : String(value)}
        onInput={(event) => onChange(event.currentTarget.value === "" ? null : event.currentTarget.value)}
      />
      <Suggestions id={`${id}-list`} values={suggestions} />
    </>
  );
}

/** A list of plain values: one in each line. */
function Lines({ id, field, value, onChange }: JsonFieldProps): JSX.Element {
  const lines = Array.isArray(value) ? value : [];
  const convert = (line: string): Json => field.scalar === ScalarType.STRING ? line : Number(line);
  return (
    <textarea
      id={id}
      class="mono"
      rows={Math.min(8, lines.length + 2)}
      defaultValue={lines.map(String).join("\n")}
      placeholder={texts.value.onePerLine}
      onChange={(event) => {
        const typed = event.currentTarget.value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
        onChange(typed.length === 0 ? null : typed.map(convert));
      }}
    />
  );
}

interface ListOfProps {
  readonly id: string;
  readonly message: DescMessage;
  readonly value: readonly Json[];
  readonly onChange: (value: Json) => void;
}

/** A list of objects, whose order can be changed. */
export function ListOf({ id, message, value, onChange }: ListOfProps): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="items">
      <ol>
        {value.map((item, index) => (
          <li key={index}>
            <MessageFields
              id={`${id}-${index}`}
              message={message}
              value={isObject(item) ? item : {}}
              onChange={(next) => onChange(withItem(value, index, next))}
            />
            <div class="item-actions">
              <button
                type="button"
                class="quiet"
                disabled={index === 0}
                aria-label={`${text.moveUp} ${index + 1}`}
                onClick={() => onChange(moved(value, index, -1))}
              >
                ↑
              </button>
              <button
                type="button"
                class="quiet"
                disabled={index === value.length - 1}
                aria-label={`${text.moveDown} ${index + 1}`}
                onClick={() => onChange(moved(value, index, 1))}
              >
                ↓
              </button>
              <button
                type="button"
                class="quiet"
                aria-label={`${text.remove} ${index + 1}`}
                onClick={() => onChange(withItem(value, index, null))}
              >
                {text.remove}
              </button>
            </div>
          </li>
        ))}
      </ol>
      <button type="button" class="btn" onClick={() => onChange([...value, initial(message)])}>{text.add}</button>
    </div>
  );
}

/** What a new item is: turned on, if it can be. */
function initial({ fields }: DescMessage): Json {
  return fields.some(({ name }) => name === "isOn") ? { isOn: true } : {};
}
