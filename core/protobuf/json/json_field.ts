import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { invalid } from "../../base/errors.ts";
import { jsonCodec } from "./codec.ts";
import { parseJson } from "./parse.ts";

/** The most bytes that a field with JSON may have: what plugins store of it, and read again for every answer. */
const MAX_BYTES = 1_048_576;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Checks a bytes field that carries JSON against the message that describes its shape.
 *
 * @returns the message, or undefined for empty bytes, which mean that the client left the field out
 * @throws invalid naming the path of the fault: `soaJSON.refresh: ...`
 */
export function jsonField<Desc extends DescMessage>(
  field: string,
  bytes: Uint8Array,
  shape: Desc,
): MessageShape<Desc> | undefined {
  return bytes.length === 0 ? undefined : jsonCodec(shape).decode(jsonValue(field, bytes), field);
}

/** Checks a bytes field that carries a JSON array of one shape; undefined for empty bytes. */
export function jsonListField<Desc extends DescMessage>(
  field: string,
  bytes: Uint8Array,
  shape: Desc,
): MessageShape<Desc>[] | undefined {
  if (bytes.length === 0) return undefined;
  const items = jsonValue(field, bytes);
  if (!Array.isArray(items)) throw invalid(field, "must be a JSON array");
  const codec = jsonCodec(shape);
  return items.map((item, index) => codec.decode(item, `${field}[${index}]`));
}

/** The bytes of a message as JSON, for a bytes field of an answer. */
export function jsonBytes<Desc extends DescMessage>(shape: Desc, message: MessageInitShape<Desc>): Uint8Array {
  return encoder.encode(jsonCodec(shape).encode(message));
}

/** The bytes of a list of messages as a JSON array, for a bytes field of an answer. */
export function jsonListBytes<Desc extends DescMessage>(
  shape: Desc,
  messages: readonly MessageInitShape<Desc>[],
): Uint8Array {
  const codec = jsonCodec(shape);
  return encoder.encode(`[${messages.map((message) => codec.encode(message)).join(",")}]`);
}

function jsonValue(field: string, bytes: Uint8Array): unknown {
  if (bytes.length > MAX_BYTES) throw invalid(field, `must have at most ${MAX_BYTES} bytes, got ${bytes.length}`);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalid(field, "must be JSON in UTF-8");
  }
  return parseJson(text, { path: field });
}
