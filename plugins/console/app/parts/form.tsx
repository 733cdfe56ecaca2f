import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { model } from "../shell/state.ts";
import { words } from "../shell/names.ts";
import { isJson } from "./fields.ts";
import { TextInput } from "./text_input.tsx";

/** The values of a form as they are typed; a check box has "true" or "". */
export type Draft = Readonly<Record<string, string>>;

interface FormProps {
  readonly message: DescMessage;
  /** The fields that are not shown, such as the id of the object. */
  readonly hidden?: readonly string[];
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** The error of the server, shown beside the field that it names. */
  readonly error?: string | undefined;
}

/** The fields of a request, in the order of the proto, with its comments as help. */
export function FormFields({ message, hidden = [], draft, onChange, error }: FormProps): JSX.Element {
  return (
    <>
      {message.fields.filter((field) => !hidden.includes(field.localName)).map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={draft[field.localName] ?? ""}
          error={errorOf(field, error)}
          onChange={(value) => onChange({ ...draft, [field.localName]: value })}
        />
      ))}
    </>
  );
}

interface FieldProps {
  readonly field: DescField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function FormField({ field, value, error, onChange }: FieldProps): JSX.Element {
  const id = `field-${field.localName}`;
  const help = model.value?.comment(`${field.parent.typeName}.${field.name}`) ?? "";
  const described = {
    id,
    "aria-describedby": help === "" ? undefined : `${id}-help`,
    "aria-invalid": error !== undefined,
  };
  return (
    <div class="field">
      {field.scalar === ScalarType.BOOL && field.fieldKind === "scalar"
        ? (
          <label class="check">
            <input
              {...described}
              type="checkbox"
              checked={value === "true"}
              onChange={(event) => onChange(event.currentTarget.checked ? "true" : "")}
            />
            {words(field.name)}
          </label>
        )
        : (
          <>
            <label for={id}>{words(field.name)}</label>
            {isLong(field)
              ? (
                <textarea
                  {...described}
                  rows={3}
                  class="mono"
                  value={value}
                  onInput={(event) => onChange(event.currentTarget.value)}
                />
              )
              : (
                <TextInput
                  id={id}
                  isSecret={/password|secret/i.test(field.name)}
                  autocomplete="off"
                  value={value}
                  isInvalid={error !== undefined}
                  describedBy={described["aria-describedby"]}
                  onInput={onChange}
                />
              )}
          </>
        )}
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      {help !== "" && <p class="help" id={`${id}-help`}>{help}</p>}
    </div>
  );
}

/** Returns the values of an object as they are typed. */
export function draftOf(message: DescMessage, object: Readonly<Record<string, unknown>>): Draft {
  const decoder = new TextDecoder();
  return Object.fromEntries(message.fields.flatMap((field) => {
    const value = object[field.localName];
    if (value === undefined || value === null) return [];
    if (value instanceof Uint8Array) return [[field.localName, decoder.decode(value)]];
    if (typeof value === "boolean") return [[field.localName, value ? "true" : ""]];
    return [[field.localName, Array.isArray(value) ? value.map(String).join("\n") : String(value)]];
  }));
}

/**
 * Converts what was typed to a request.
 *
 * @throws Error that begins with the name of the field
 */
export function requestOf(message: DescMessage, draft: Draft): Record<string, unknown> {
  return Object.fromEntries(message.fields.flatMap((field) => {
    const text = draft[field.localName] ?? "";
    if (text === "") return [];
    if (field.fieldKind !== "list") return [[field.localName, valueOf(field, text)]];
    const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    return [[field.localName, lines.map((line) => valueOf(field, line))]];
  }));
}

function valueOf(field: DescField, text: string): unknown {
  if (field.message !== undefined) return JSON.parse(text);
  switch (field.scalar) {
    case ScalarType.BOOL:
      return text === "true";
    case ScalarType.STRING:
      return text;
    case ScalarType.BYTES:
      return bytesOf(field, text);
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return numberOf(field, text, BigInt);
    default:
      return numberOf(field, text, Number);
  }
}

function bytesOf(field: DescField, text: string): Uint8Array {
  if (isJson(field)) {
    try {
      JSON.parse(text);
    } catch (error) {
      throw new Error(`${field.name}: ${(error as Error).message}`);
    }
  }
  return new TextEncoder().encode(text);
}

function numberOf<Result>(field: DescField, text: string, convert: (text: string) => Result): Result {
  const plain = text.trim();
  if (!/^-?\d+(\.\d+)?$/.test(plain)) throw new Error(`${field.name}: must be a number`);
  return convert(plain);
}

/** Returns the part of an error that is about the field: messages of the server begin with the path of the field. */
function errorOf({ name }: DescField, error: string | undefined): string | undefined {
  if (error === undefined || !error.startsWith(name)) return undefined;
  return /^[:[.]/.test(error.slice(name.length)) ? error : undefined;
}

function isLong(field: DescField): boolean {
  return field.fieldKind === "list" || field.message !== undefined || field.scalar === ScalarType.BYTES ||
    /description|remark|body|content/i.test(field.name);
}
