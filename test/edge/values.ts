import { decodeBase64, encodeBase64 } from "../../core/protobuf/json/base64.ts";

type Tagged = readonly [tag: string, value: unknown];

/** Encodes a value as JSON that preserves bigints, maps, sets and bytes. */
export function encodeValue(value: unknown): string {
  return JSON.stringify(tagged(value));
}

export function decodeValue(text: string): unknown {
  return untagged(JSON.parse(text));
}

function tagged(value: unknown): unknown {
  if (value === undefined) return ["undefined"];
  if (typeof value === "bigint") return ["bigint", `${value}`];
  if (value instanceof Uint8Array) return ["bytes", encodeBase64(value)];
  if (value instanceof Map) return ["map", [...value].map(([key, item]) => [tagged(key), tagged(item)])];
  if (value instanceof Set) return ["set", [...value].map(tagged)];
  if (Array.isArray(value)) return ["list", value.map(tagged)];
  if (typeof value === "function") throw new TypeError("a function cannot be sent");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, tagged(item)]));
}

function untagged(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (!Array.isArray(json)) {
    return Object.fromEntries(Object.entries(json).map(([name, item]) => [name, untagged(item)]));
  }
  const [tag, value] = json as unknown as Tagged;
  switch (tag) {
    case "undefined":
      return undefined;
    case "bigint":
      return BigInt(value as string);
    case "bytes":
      return decodeBase64(value as string);
    case "map":
      return new Map((value as Tagged[]).map(([key, item]) => [untagged(key), untagged(item)]));
    case "set":
      return new Set((value as unknown[]).map(untagged));
    default:
      return (value as unknown[]).map(untagged);
  }
}
