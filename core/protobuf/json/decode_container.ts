import type { Decode } from "./decode_scalar.ts";
import { expectedError, keySegment, prefixPath, tooDeepError } from "./json_error.ts";
import { type Fields, isObject, setOwn } from "./value.ts";

/** Returns a decoder of JSON arrays that decodes each item with `item`. */
export function listDecoder(item: Decode, maxDepth: number): Decode {
  return (json, depth) => {
    if (!Array.isArray(json)) throw expectedError("a JSON array", json);
    if (depth >= maxDepth) throw tooDeepError(maxDepth);
    const list: unknown[] = [];
    try {
      for (const value of json) list.push(item(value, depth + 1));
    } catch (error) {
      throw prefixPath(error, `[${list.length}]`);
    }
    return list;
  };
}

/** Returns a decoder of JSON objects with arbitrary keys. `key` converts each key to the form that messages use. */
export function mapDecoder(key: Decode, value: Decode, maxDepth: number): Decode {
  return (json, depth) => {
    if (!isObject(json)) throw expectedError("a JSON object", json);
    if (depth >= maxDepth) throw tooDeepError(maxDepth);
    const map: Fields = {};
    let at = "";
    try {
      for (at of Object.keys(json)) setOwn(map, String(key(at, depth)), value(json[at], depth + 1));
    } catch (error) {
      throw prefixPath(error, keySegment(at));
    }
    return map;
  };
}
