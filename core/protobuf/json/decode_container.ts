import type { Decode } from "./decode_scalar.ts";
import { expected, keySegment, tooDeep, under } from "./json_error.ts";
import { type Fields, isObject, setOwn } from "./value.ts";

/** A JSON array, each of its items by `item`. */
export function listDecoder(item: Decode, maxDepth: number): Decode {
  return (json, depth) => {
    if (!Array.isArray(json)) throw expected("a JSON array", json);
    if (depth >= maxDepth) throw tooDeep(maxDepth);
    const list: unknown[] = [];
    try {
      for (const one of json) list.push(item(one, depth + 1));
    } catch (error) {
      throw under(error, `[${list.length}]`);
    }
    return list;
  };
}

/** A JSON object of any keys, each value by `value`; `key` brings the keys into the form that messages use. */
export function mapDecoder(key: Decode, value: Decode, maxDepth: number): Decode {
  return (json, depth) => {
    if (!isObject(json)) throw expected("a JSON object", json);
    if (depth >= maxDepth) throw tooDeep(maxDepth);
    const map: Fields = {};
    let at = "";
    try {
      for (at of Object.keys(json)) setOwn(map, String(key(at, depth)), value(json[at], depth + 1));
    } catch (error) {
      throw under(error, keySegment(at));
    }
    return map;
  };
}
