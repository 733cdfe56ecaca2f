import { ScalarType } from "@bufbuild/protobuf";
import { encodeBase64 } from "./base64.ts";
import { integerFromText, type IntegerRange, integerRange } from "./integer.ts";

/** Writes one value, which is neither null nor undefined. */
export type Encode = (value: unknown) => string;

// Where looking at every character is cheaper than the regular expression.
const SHORT = 40;
// deno-lint-ignore no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** @param where the field, for the error when a handler returns a value of another type */
export function scalarEncoder(type: ScalarType, where: string): Encode {
  const range = integerRange(type);
  if (range !== undefined) return range.isLong ? longEncoder(range, where) : integerEncoder(range, where);
  switch (type) {
    case ScalarType.STRING:
      return (value) => typeof value === "string" ? quote(value) : refuse(where, "a string", value);
    case ScalarType.BOOL:
      return (value) => value === true ? "true" : value === false ? "false" : refuse(where, "a boolean", value);
    case ScalarType.BYTES:
      return (value) => value instanceof Uint8Array ? `"${encodeBase64(value)}"` : refuse(where, "a Uint8Array", value);
    default:
      return (value) => typeof value === "number" ? float(value) : refuse(where, "a number", value);
  }
}

/** A string as JSON text. */
export function quote(text: string): string {
  if (text.length > SHORT) return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800 && code <= 0xdfff) return JSON.stringify(text);
  }
  return `"${text}"`;
}

export function refuse(where: string, expected: string, value: unknown): never {
  const got = value === null ? "null" : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
  throw new TypeError(`${where}: expected ${expected}, got ${got}`);
}

function integerEncoder(range: IntegerRange, where: string): Encode {
  const min = Number(range.min);
  const max = Number(range.max);
  return (value) => {
    if (typeof value === "number" && value >= min && value <= max && Number.isInteger(value)) return `${value}`;
    return refuse(where, `an integer from ${min} to ${max}`, value);
  };
}

function longEncoder(range: IntegerRange, where: string): Encode {
  const min = Math.max(Number(range.min), Number.MIN_SAFE_INTEGER);
  const max = Number.MAX_SAFE_INTEGER;
  return (value) => {
    // A bigint beyond 2^53-1 becomes a number beyond it, however it is rounded.
    const number = typeof value === "bigint" ? Number(value) : value;
    if (typeof number === "number" && number >= min && number <= max && Number.isInteger(number)) return `${number}`;
    const long = typeof value === "bigint" || typeof value === "string"
      ? integerFromText(String(value), range)
      : undefined;
    if (long === undefined) return refuse(where, `an integer from ${range.min} to ${range.max}`, value);
    return long >= min && long <= max ? `${long}` : `"${long}"`;
  };
}

function float(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : `${value}`;
  return `"${value}"`;
}
