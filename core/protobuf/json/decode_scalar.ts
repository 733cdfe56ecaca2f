import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import { decodeBase64 } from "./base64.ts";
import { expectedError, JsonError } from "./json_error.ts";
import { integerFromText, type IntegerRange, integerRange } from "./integer.ts";
import { isRawNumber } from "./value.ts";

/** Converts a JSON value other than null to the value of a field. `depth` counts the enclosing arrays and objects. */
export type Decode = (json: unknown, depth: number) => unknown;

const MAX_FLOAT = 3.4028234663852886e38;
const DECIMAL_FRACTION = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

export function scalarDecoder(type: ScalarType): Decode {
  const range = integerRange(type);
  if (range !== undefined) return integerDecoder(range);
  switch (type) {
    case ScalarType.STRING:
      return decodeString;
    case ScalarType.BOOL:
      return decodeBool;
    case ScalarType.BYTES:
      return decodeBytes;
    case ScalarType.FLOAT:
      return (json) => decodeFloat(json, MAX_FLOAT);
    default:
      return (json) => decodeFloat(json, Number.MAX_VALUE);
  }
}

/** Returns the decoder of an enum, which accepts names and numbers, including numbers unknown to this version. */
export function enumDecoder(desc: DescEnum): Decode {
  const decodeNumber = scalarDecoder(ScalarType.INT32);
  const numbers = new Map(desc.values.map(({ name, number }) => [name, number]));
  return (json, depth) => {
    const number = typeof json === "string" ? numbers.get(json) : undefined;
    if (number !== undefined) return number;
    try {
      return decodeNumber(json, depth);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw expectedError(`an integer or a name of ${desc.name}`, json);
    }
  };
}

export function decodeString(json: unknown): string {
  if (typeof json !== "string") throw expectedError("a string", json);
  if (json.includes("\0")) throw new JsonError("must not contain NUL");
  if (!json.isWellFormed()) throw new JsonError("must be well-formed Unicode, got a lone surrogate");
  return json;
}

function decodeBool(json: unknown): boolean {
  if (typeof json !== "boolean") throw expectedError("true or false", json);
  return json;
}

function decodeBytes(json: unknown): Uint8Array {
  const bytes = typeof json === "string" ? decodeBase64(json) : undefined;
  if (bytes === undefined) throw expectedError("base64", json);
  return bytes;
}

function integerDecoder(range: IntegerRange): Decode {
  const min = Number(range.min);
  // Beyond 2^53-1 several integers share a JSON number, so only text is unambiguous.
  const max = Math.min(Number(range.max), Number.MAX_SAFE_INTEGER);
  return (json) => {
    if (typeof json === "number" && json <= max && json >= min && Number.isSafeInteger(json)) {
      return range.isLong ? BigInt(json) : json + 0; // + 0 converts -0 to 0
    }
    const value = typeof json === "string" ? integerFromText(json, range) : undefined;
    if (value === undefined) throw integerError(json, range);
    return range.isLong ? value : Number(value);
  };
}

function integerError(json: unknown, range: IntegerRange): JsonError {
  const literal = isRawNumber(json) ? json.rawJSON : Number.isInteger(json) ? String(BigInt(json as number)) : "";
  if (integerFromText(literal, range) !== undefined) {
    return new JsonError(`${literal} cannot be represented exactly as a JSON number; send it as a string`);
  }
  return expectedError(`an integer from ${range.min} to ${range.max}`, json);
}

function decodeFloat(json: unknown, max: number): number {
  if (json === "NaN" || json === "Infinity" || json === "-Infinity") return Number(json);
  const value = floatOf(json);
  if (value === undefined) throw expectedError("a number", json);
  if (!(Math.abs(value) <= max)) throw expectedError(`a number from -${max} to ${max}`, json);
  return value;
}

function floatOf(json: unknown): number | undefined {
  if (typeof json === "number") return json;
  if (isRawNumber(json)) return Number(json.rawJSON);
  return typeof json === "string" && DECIMAL_FRACTION.test(json) ? Number(json) : undefined;
}
