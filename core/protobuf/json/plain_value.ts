import { create, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ListValue,
  ListValueSchema,
  NullValue,
  StructSchema,
  type Value,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";

/** Converts plain JSON to a google.protobuf.Value. */
export function toValue(json: JsonValue): Value {
  return create(ValueSchema, { kind: kindOf(json) });
}

/** Converts a JSON array to a google.protobuf.ListValue. */
export function toListValue(json: readonly JsonValue[]): ListValue {
  return create(ListValueSchema, { values: json.map(toValue) });
}

function kindOf(json: JsonValue): Value["kind"] {
  if (json === null) return { case: "nullValue", value: NullValue.NULL_VALUE };
  if (typeof json === "boolean") return { case: "boolValue", value: json };
  if (typeof json === "number") return { case: "numberValue", value: json };
  if (typeof json === "string") return { case: "stringValue", value: json };
  if (Array.isArray(json)) return { case: "listValue", value: toListValue(json) };
  const fields = Object.entries(json).map(([name, member]) => [name, toValue(member)] as const);
  return { case: "structValue", value: create(StructSchema, { fields: Object.fromEntries(fields) }) };
}

/**
 * Converts a google.protobuf.Value to plain JSON.
 *
 * @throws TypeError if it has no kind, or a number that JSON cannot represent
 */
export function fromValue({ kind }: MessageInitShape<typeof ValueSchema>): JsonValue {
  switch (kind?.case) {
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
      return kind.value;
    case "numberValue":
      if (!Number.isFinite(kind.value)) throw new TypeError(`JSON has no number ${kind.value}`);
      return kind.value;
    case "listValue":
      return fromListValue(kind.value);
    case "structValue": {
      const members = Object.entries(kind.value.fields ?? {}).map(([name, value]) => [name, fromValue(value)] as const);
      return Object.fromEntries(members);
    }
    default:
      throw new TypeError("a google.protobuf.Value must have a value");
  }
}

/** Converts a google.protobuf.ListValue to a JSON array. */
export function fromListValue({ values = [] }: MessageInitShape<typeof ListValueSchema>): JsonValue[] {
  return values.map(fromValue);
}
