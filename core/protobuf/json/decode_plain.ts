import type { DescMessage, JsonValue } from "@bufbuild/protobuf";
import { listDecoder, mapDecoder } from "./decode_container.ts";
import { type Decode, decodeString } from "./decode_scalar.ts";
import { expectedError } from "./json_error.ts";
import { toListValue, toValue } from "./plain_value.ts";
import { isObject, isRawNumber } from "./value.ts";

const encoder = new TextEncoder();

/** Returns a decoder that checks and copies JSON of any shape. `rawNumber` converts numbers that are kept as text. */
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
    throw expectedError("JSON", json);
  }
  return decode;
}

/** Returns the decoder of a bytes field that holds JSON: base64, or an object or array, which becomes compact text. */
export function jsonBytesDecoder(bytes: Decode, maxDepth: number): Decode {
  const plain = plainDecoder(maxDepth, (json) => json);
  return (json, depth) => {
    if (typeof json === "string") return bytes(json, depth);
    if (!Array.isArray(json) && !isObject(json)) throw expectedError("base64, a JSON object or a JSON array", json);
    return encoder.encode(JSON.stringify(plain(json, depth)));
  };
}

/** Returns the decoder of a message type that represents plain JSON, or undefined for any other type. */
export function plainMessageDecoder(desc: DescMessage, maxDepth: number): Decode | undefined {
  const plain = plainDecoder(maxDepth, ({ rawJSON }) => Number(rawJSON));
  switch (desc.typeName) {
    case "google.protobuf.Struct":
      return (json, depth) => {
        if (!isObject(json)) throw expectedError("a JSON object", json);
        return plain(json, depth);
      };
    case "google.protobuf.Value":
      return (json, depth) => toValue(plain(json, depth) as JsonValue);
    case "google.protobuf.ListValue":
      return (json, depth) => {
        if (!Array.isArray(json)) throw expectedError("a JSON array", json);
        return toListValue(plain(json, depth) as JsonValue[]);
      };
    default:
      return undefined;
  }
}
