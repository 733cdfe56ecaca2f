import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isJson } from "./fields.ts";

/** The values of a form as they are typed; a check box has "true" or "". */
export type Draft = Readonly<Record<string, string>>;

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
