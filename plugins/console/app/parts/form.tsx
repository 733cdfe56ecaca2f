import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { nounOf, plural as pluralOf, words } from "../shell/names.ts";
import { commentOf } from "../shell/state.ts";
import { Control, isCheck } from "./control.tsx";
import type { Draft } from "./draft.ts";
import { isForReader, isJson } from "./fields.ts";
import { errorAbout } from "./forms/error_about.ts";
import { referredBy } from "./id_chooser.tsx";

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
  const isShown = (field: DescField) =>
    !hidden.includes(field.localName) && field.proto.options?.deprecated !== true && isForReader(field);
  return (
    <>
      {message.fields.filter(isShown).map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={draft[field.localName] ?? ""}
          error={errorAbout([field.name], error)}
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
  const help = commentOf(`${field.parent.typeName}.${field.name}`);
  const control = (
    <Control
      id={id}
      label={labelOf(field)}
      field={field}
      value={value}
      isInvalid={error !== undefined}
      describedBy={help === "" ? undefined : `${id}-help`}
      onInput={onChange}
    />
  );
  return (
    <div class={isJson(field) ? "field wide" : "field"}>
      {isCheck(field) ? <label class="check">{control} {words(field.name)}</label> : (
        <>
          {isGroup(field) ? <span class="label">{labelOf(field)}</span> : <label for={id}>{labelOf(field)}</label>}
          {control}
        </>
      )}
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      {help !== "" && <p class="help" id={`${id}-help`}>{help}</p>}
    </div>
  );
}

/** True if the field has several controls, so that no label is for one of them. */
function isGroup(field: DescField): boolean {
  return isJson(field) || (field.fieldKind === "list" && referredBy(field) !== undefined);
}

/** A field that names another object has the name of its kind. */
function labelOf(field: DescField): string {
  const resource = referredBy(field);
  if (resource === undefined) return words(field.name);
  if (field.fieldKind === "list") return pluralOf(resource.noun);
  const noun = nounOf(resource.noun);
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
