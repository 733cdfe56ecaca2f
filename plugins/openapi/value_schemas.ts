import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import type { Direction } from "./schema_names.ts";

/** A JSON Schema of the dialect of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

const DECIMAL = "^-?(0|[1-9][0-9]*)$";
const SPECIAL_NUMBERS = ["NaN", "Infinity", "-Infinity"];

/** Returns the schema of a scalar value as the HTTP JSON API reads or writes it. */
export function scalarSchema(type: ScalarType, direction: Direction): Schema {
  switch (type) {
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.STRING:
      return { type: "string" };
    case ScalarType.BYTES:
      return { type: "string", contentEncoding: "base64" };
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return { anyOf: [{ type: "number" }, { enum: SPECIAL_NUMBERS }] };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return integerSchema({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, format: "int32" }, direction);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return integerSchema({ minimum: 0, maximum: 2 ** 32 - 1 }, direction);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return longSchema({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
    default:
      return longSchema({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });
  }
}

function integerSchema(limits: Schema, direction: Direction): Schema {
  const integer = { type: "integer", ...limits };
  return direction === "response" ? integer : { anyOf: [integer, { type: "string", pattern: DECIMAL }] };
}

/** 64-bit integers are text beyond the integers that a JSON number represents exactly. */
function longSchema(limits: Schema): Schema {
  return { anyOf: [{ type: "integer", ...limits }, { type: "string", pattern: DECIMAL }] };
}

/** Returns the schema of an enum, which is a number in responses, and a number or a name in requests. */
export function enumSchema({ values }: DescEnum, direction: Direction): Schema {
  const numbers = { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
  return direction === "response" ? numbers : { anyOf: [numbers, { enum: values.map(({ name }) => name) }] };
}
