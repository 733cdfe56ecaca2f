import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { fieldEncoder } from "./encode_field.ts";
import { type Encode, refuse } from "./encode_scalar.ts";
import { memoised } from "./memoised.ts";
import type { Fields } from "./value.ts";

interface FieldPlan {
  /** The property of the message that has the field: its own, or that of its oneof. */
  readonly property: string;
  /** The oneof's case that means this field. */
  readonly oneofCase: string | undefined;
  /** The field's name as JSON text with its colon. */
  readonly name: string;
  /** What is written when the value is missing; nothing for fields that can be absent. */
  readonly zero: string | undefined;
  readonly encode: Encode;
}

/** Writes one message type, in the order in which its fields are declared. */
export const messageEncoder: (desc: DescMessage) => Encode = memoised(compile);

function compile(desc: DescMessage): Encode {
  let fields: readonly FieldPlan[] | undefined;
  return (message) => {
    if (typeof message !== "object" || message === null) return refuse(desc.typeName, "an object", message);
    fields ??= desc.fields.map(planField);
    let text = "{";
    for (const field of fields) {
      let value = (message as Fields)[field.property];
      if (field.oneofCase !== undefined) value = caseValue(value, field.oneofCase);
      const piece = value === undefined || value === null ? field.zero : field.encode(value);
      if (piece !== undefined) text += text.length === 1 ? field.name + piece : `,${field.name}${piece}`;
    }
    return `${text}}`;
  };
}

function caseValue(oneof: unknown, oneofCase: string): unknown {
  const { case: set, value } = (oneof ?? {}) as { readonly case?: string; readonly value?: unknown };
  return set === oneofCase ? value : undefined;
}

function planField(field: DescField): FieldPlan {
  return {
    property: field.oneof?.localName ?? field.localName,
    oneofCase: field.oneof === undefined ? undefined : field.localName,
    name: `${JSON.stringify(field.name)}:`,
    zero: zeroText(field),
    encode: fieldEncoder(field, messageEncoder),
  };
}

function zeroText(field: DescField): string | undefined {
  if (field.fieldKind === "list") return "[]";
  if (field.fieldKind === "map") return "{}";
  if (field.presence !== FeatureSet_FieldPresence.IMPLICIT || field.fieldKind === "message") return undefined;
  switch (field.scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return '""';
    case ScalarType.BOOL:
      return "false";
    default:
      return "0";
  }
}
