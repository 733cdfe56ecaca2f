import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { type AppendMessage, fieldAppender } from "./encode_field.ts";
import type { Append } from "./encode_scalar.ts";
import { memoize } from "./memoize.ts";

/** The numbers of the options `omitZero` and `json` in proto/options.proto. */
const [OMIT_ZERO, JSON_CONTENT] = [50_002, 50_001];

interface FieldPlan {
  /** The property of the message that holds the field or its oneof. */
  readonly property: string;
  /** The case of the oneof that selects this field. */
  readonly oneofCase: string | undefined;
  /** True if inherited values do not count: editions and proto2 keep default values in the prototype. */
  readonly mustBeOwn: boolean;
  /** Appends the field as the first of the message. */
  readonly first: Append;
  /** Appends the field after another one. */
  readonly next: Append;
  /** The value to append if the field is not set; undefined for fields that may be absent. */
  readonly zero: unknown;
  /** True if the field is left out when it is zero. */
  readonly omitsZero: boolean;
}

/** Returns the appender of a message type, which writes fields in the order of their declaration. */
export const messageAppender: (desc: DescMessage) => AppendMessage = memoize(compile);

function compile(desc: DescMessage): AppendMessage {
  let fields: readonly FieldPlan[] | undefined;
  return (text, message) => {
    fields ??= desc.fields.map(planField);
    const start = text.length;
    for (const field of fields) {
      if (field.mustBeOwn && !Object.hasOwn(message, field.property)) continue;
      let value = message[field.property];
      if (field.oneofCase !== undefined) value = caseValue(value, field.oneofCase);
      value ??= field.zero;
      if (field.omitsZero && isZero(value)) continue;
      if (value !== undefined) text = text.length === start ? field.first(text, value) : field.next(text, value);
    }
    return `${text}}`;
  };
}

function caseValue(oneof: unknown, oneofCase: string): unknown {
  const { case: set, value } = (oneof ?? {}) as { readonly case?: string; readonly value?: unknown };
  return set === oneofCase ? value : undefined;
}

function planField(field: DescField): FieldPlan {
  const isSingular = field.fieldKind === "scalar" || field.fieldKind === "enum";
  const name = `${JSON.stringify(field.name)}:`;
  const omitsZero = isOmittedWhenZero(field);
  return {
    property: field.oneof?.localName ?? field.localName,
    oneofCase: field.oneof === undefined ? undefined : field.localName,
    mustBeOwn: isSingular && field.oneof === undefined && field.presence !== FeatureSet_FieldPresence.IMPLICIT,
    first: fieldAppender(field, name, messageAppender),
    next: fieldAppender(field, `,${name}`, messageAppender),
    zero: omitsZero ? undefined : zeroValue(field),
    omitsZero,
  };
}

/** Returns true if JSON has no value for the zero of a field, so that the field is left out. */
function isOmittedWhenZero(field: DescField): boolean {
  if (field.fieldKind !== "scalar" || field.presence !== FeatureSet_FieldPresence.IMPLICIT) return false;
  return hasOption(field, OMIT_ZERO) || (field.scalar === ScalarType.BYTES && hasOption(field, JSON_CONTENT));
}

/** Finds an option by its number: its generated code is not part of what browsers load. */
function hasOption({ proto: { options } }: DescField, number: number): boolean {
  return options?.$unknown?.some(({ no }) => no === number) === true;
}

function isZero(value: unknown): boolean {
  return !value || (value instanceof Uint8Array && value.length === 0);
}

function zeroValue(field: DescField): unknown {
  if (field.fieldKind === "list") return [];
  if (field.fieldKind === "map") return {};
  if (field.presence !== FeatureSet_FieldPresence.IMPLICIT) return undefined;
  switch (field.scalar) {
    case ScalarType.STRING:
      return "";
    case ScalarType.BYTES:
      return new Uint8Array();
    case ScalarType.BOOL:
      return false;
    default:
      return 0;
  }
}
