import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { invalid } from "../../base/errors.ts";
import { jsonCodec } from "./codec.ts";
import { parseJson } from "./parse.ts";

/** The maximum size of a JSON field: plugins store such fields, and read them again for every response. */
const MAX_BYTES = 1_048_576;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes a bytes field that carries JSON.
 *
 * @param bytes at most 1 MiB of JSON in UTF-8
 * @param shape the message type that describes the JSON
 * @returns the message, or undefined for empty bytes, which mean that the client left out the field
 * @throws RpcError invalid, which names the path of the invalid value: `soaJSON.refresh: …`
 *
 * @example
 * ```ts
 * import { jsonField } from "edgehelm";
 *
 * const soa = jsonField("soaJSON", request.soaJSON, SOASchema);
 * ```
 */
export function jsonField<Desc extends DescMessage>(
  field: string,
  bytes: Uint8Array,
  shape: Desc,
): MessageShape<Desc> | undefined {
  return bytes.length === 0 ? undefined : jsonCodec(shape).decode(jsonValue(field, bytes), field);
}

/**
 * Decodes a bytes field that carries a JSON array.
 *
 * @param bytes at most 1 MiB of JSON in UTF-8
 * @param shape the message type that describes each item
 * @returns the messages, or undefined for empty bytes, which mean that the client left out the field
 * @throws RpcError invalid, which names the path of the invalid value: `rulesJSON[2].name: …`
 *
 * @example
 * ```ts
 * import { jsonListField } from "edgehelm/wire";
 *
 * const rules = jsonListField("rulesJSON", request.rulesJSON, RuleSchema) ?? [];
 * ```
 */
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

/**
 * Encodes a message as JSON, for a bytes field of a response.
 *
 * @example
 * ```ts
 * import { jsonBytes } from "edgehelm";
 *
 * return { soaJSON: jsonBytes(SOASchema, soa) };
 * ```
 */
export function jsonBytes<Desc extends DescMessage>(shape: Desc, message: MessageInitShape<Desc>): Uint8Array {
  return encoder.encode(jsonCodec(shape).encode(message));
}

/**
 * Encodes a list of messages as a JSON array, for a bytes field of a response.
 *
 * @example
 * ```ts
 * import { jsonListBytes } from "edgehelm/wire";
 *
 * return { rulesJSON: jsonListBytes(RuleSchema, rules) };
 * ```
 */
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
