import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { textValuesOf } from "edgehelm/wire";
import type { JSX } from "preact";
import { isJson } from "./fields.ts";
import { IdChooser, IdsChooser, referredBy } from "./id_chooser.tsx";
import { JsonControl } from "./json/json_control.tsx";
import { SecretInput } from "./secrets/secret_input.tsx";
import { isSecretName } from "./secrets/secret_names.ts";
import { TextChoice } from "./text_choice.tsx";
import { TextInput } from "./text_input.tsx";

interface ControlProps {
  readonly id: string;
  /** The accessible name of a control that is not an input. */
  readonly label: string;
  readonly field: DescField;
  readonly value: string;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onInput: (value: string) => void;
}

/** What a field of a request is typed into or chosen with. */
export function Control({ field, label, ...common }: ControlProps): JSX.Element {
  const { id, value, isInvalid, describedBy, onInput } = common;
  const described = { id, "aria-invalid": isInvalid, "aria-describedby": describedBy };
  if (isCheck(field)) {
    const change = (event: Event) => onInput((event.currentTarget as HTMLInputElement).checked ? "true" : "");
    return <input {...described} type="checkbox" checked={value === "true"} onChange={change} />;
  }
  if (isJson(field)) return <JsonControl {...common} label={label} field={field} />;
  const resource = referredBy(field);
  if (resource !== undefined) {
    const chooses = { ...common, resource };
    return field.fieldKind === "list" ? <IdsChooser {...chooses} label={label} /> : <IdChooser {...chooses} />;
  }
  const values = field.fieldKind === "scalar" ? textValuesOf(field) : [];
  if (values.length > 0) return <TextChoice {...common} values={values} />;
  if (field.scalar === ScalarType.STRING && isSecretName(field.name)) {
    return <SecretInput {...described} value={value} onInput={onInput} />;
  }
  if (!isLong(field)) return <TextInput {...common} isSecret={false} autocomplete="off" />;
  const input = (event: Event) => onInput((event.currentTarget as HTMLTextAreaElement).value);
  return <textarea {...described} rows={3} class="mono" value={value} onInput={input} />;
}

export function isCheck({ fieldKind, scalar }: DescField): boolean {
  return fieldKind === "scalar" && scalar === ScalarType.BOOL;
}

function isLong(field: DescField): boolean {
  return field.fieldKind === "list" || field.message !== undefined || field.scalar === ScalarType.BYTES ||
    /description|remark|body|content/i.test(field.name);
}
