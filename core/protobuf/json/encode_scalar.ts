import { ScalarType } from "@bufbuild/protobuf";
import { encodeBase64 } from "./base64.ts";
import { integerFromText, type IntegerRange, integerRange } from "./integer.ts";

/**
 * Appends one value, which is neither null nor undefined, to the text. The text before each value, such as the name of
 * its field, is fixed when the appender is created, which saves a concatenation per value.
 */
export type Append = (text: string, value: unknown) => string;

// Up to this length a loop over the characters is faster than the regular expression.
const SHORT = 40;
// deno-lint-ignore no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * Returns the appender of a scalar type.
 *
 * @param where the name of the field, for the error if a handler returns a value of another type
 */
export function scalarAppender(type: ScalarType, prefix: string, where: string): Append {
  const range = integerRange(type);
  if (range !== undefined) return range.isLong ? longAppender(range, prefix, where) : intAppender(range, prefix, where);
  switch (type) {
    case ScalarType.STRING:
      return stringAppender(prefix, where);
    case ScalarType.BOOL:
      return boolAppender(prefix, where);
    case ScalarType.BYTES:
      return (text, value) =>
        value instanceof Uint8Array
          ? `${text}${prefix}"${encodeBase64(value)}"`
          : throwTypeError(where, "a Uint8Array", value);
    default:
      return (text, value) =>
        text + prefix + (typeof value === "number" ? float(value) : throwTypeError(where, "a number", value));
  }
}

/** Formats a string as JSON. */
export function quote(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text);
}

export function throwTypeError(where: string, expected: string, value: unknown): never {
  const got = value === null ? "null" : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
  throw new TypeError(`${where}: expected ${expected}, got ${got}`);
}

function stringAppender(prefix: string, where: string): Append {
  const opened = `${prefix}"`;
  return (text, value) => {
    if (typeof value !== "string") return throwTypeError(where, "a string", value);
    return isPlain(value) ? text + opened + value + '"' : text + prefix + JSON.stringify(value);
  };
}

/** Returns true if the text can be written as a JSON string without escapes. */
function isPlain(text: string): boolean {
  if (text.length > SHORT) return !NEEDS_ESCAPE.test(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800 && code <= 0xdfff) return false;
  }
  return true;
}

function boolAppender(prefix: string, where: string): Append {
  const yes = `${prefix}true`;
  const no = `${prefix}false`;
  return (text, value) =>
    text + (value === true ? yes : value === false ? no : throwTypeError(where, "a boolean", value));
}

function intAppender(range: IntegerRange, prefix: string, where: string): Append {
  const min = Number(range.min);
  const max = Number(range.max);
  return (text, value) => {
    if (typeof value === "number" && value >= min && value <= max && Number.isInteger(value)) {
      return text + prefix + value;
    }
    return throwTypeError(where, `an integer from ${min} to ${max}`, value);
  };
}

function longAppender(range: IntegerRange, prefix: string, where: string): Append {
  const min = Math.max(Number(range.min), Number.MIN_SAFE_INTEGER);
  const max = Number.MAX_SAFE_INTEGER;
  return (text, value) => {
    // A bigint beyond 2^53-1 converts to a number beyond 2^53-1, however it is rounded.
    const number = typeof value === "bigint" ? Number(value) : value;
    if (typeof number === "number" && number >= min && number <= max && Number.isInteger(number)) {
      return text + prefix + number;
    }
    const isExact = typeof value === "bigint" || typeof value === "string";
    const long = isExact ? integerFromText(String(value), range) : undefined;
    if (long === undefined) return throwTypeError(where, `an integer from ${range.min} to ${range.max}`, value);
    return text + prefix + (long >= min && long <= max ? long : `"${long}"`);
  };
}

function float(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value);
  return `"${value}"`;
}
