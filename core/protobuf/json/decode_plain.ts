import { type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ListValueSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { listDecoder, mapDecoder } from "./decode_container.ts";
import { type Decode, decodeString } from "./decode_scalar.ts";
import { expected } from "./json_error.ts";
import { isObject, isRawNumber } from "./value.ts";

const encoder = new TextEncoder();

/** JSON of any shape, checked and copied. `rawNumber` says what becomes of a number that is kept as text. */
function plainDecoder(maxDepth: number, rawNumber: (json: { rawJSON: string }) => unknown): Decode {
  const list = listDecoder(decode, maxDepth);
  const object = mapDecoder(decodeString, decode, maxDepth);
  function decode(json: unknown, depth: number): unknown {
    if (json === null || typeof json === "boolean") return json;
    if (typeof json === "string") return decodeString(json);
    if (Array.isArray(json)) return list(json, depth);
    if (isRawNumber(json)) return rawNumber(json);
    if (isObject(json)) return object(json, depth);
    if (typeof json === "number" && Number.isFinite(json)) return json;
    throw expected("JSON", json);
  }
  return decode;
}

/** A bytes field that holds JSON: base64 as `bytes` reads it, or an object or array, kept as its compact text. */
export function jsonBytesDecoder(bytes: Decode, maxDepth: number): Decode {
  const plain = plainDecoder(maxDepth, (json) => json);
  return (json, depth) => {
    if (typeof json === "string") return bytes(json, depth);
    if (!Array.isArray(json) && !isObject(json)) throw expected("base64, a JSON object or a JSON array", json);
    return encoder.encode(JSON.stringify(plain(json, depth)));
  };
}

/** Decoders of the messages that are plain JSON themselves; `undefined` for any other message. */
export function plainMessageDecoder(desc: DescMessage, maxDepth: number): Decode | undefined {
  const plain = plainDecoder(maxDepth, ({ rawJSON }) => Number(rawJSON));
  switch (desc.typeName) {
    case "google.protobuf.Struct":
      return (json, depth) => {
        if (!isObject(json)) throw expected("a JSON object", json);
        return plain(json, depth);
      };
    case "google.protobuf.Value":
      return (json, depth) => fromJson(ValueSchema, plain(json, depth) as JsonValue);
    case "google.protobuf.ListValue":
      return (json, depth) => {
        if (!Array.isArray(json)) throw expected("a JSON array", json);
        return fromJson(ListValueSchema, plain(json, depth) as JsonValue);
      };
    default:
      return undefined;
  }
}
