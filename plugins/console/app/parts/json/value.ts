import type { DescMessage } from "@bufbuild/protobuf";

/** JSON as it is parsed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object; fields without a value are absent. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Returns the JSON of a text; undefined if it is none. An empty text is null. */
export function parsed(text: string): Json | undefined {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the text of JSON, with line breaks; empty for null. */
export function written(value: Json): string {
  return value === null ? "" : JSON.stringify(value, null, 2);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an object with another value of one field; null removes the field. */
export function withField(object: JsonObject, name: string, value: Json): JsonObject {
  const { [name]: _, ...others } = object;
  return value === null ? others : { ...object, [name]: value };
}

/** Returns a list with another value of one item; null removes the item. */
export function withItem(list: readonly Json[], index: number, value: Json): readonly Json[] {
  return value === null ? list.toSpliced(index, 1) : list.with(index, value);
}

/** Returns a list in which an item has changed places with its neighbour. */
export function moved(list: readonly Json[], index: number, step: -1 | 1): readonly Json[] {
  const other = index + step;
  if (other < 0 || other >= list.length) return list;
  return list.with(index, list[other]!).with(other, list[index]!);
}

/** Returns the one of several messages that has most of the fields of an object; the first if they are equal. */
export function bestMessage(messages: readonly DescMessage[], value: Json): DescMessage {
  const names = isObject(value) ? Object.keys(value) : [];
  const known = ({ fields }: DescMessage) => names.filter((name) => fields.some((field) => field.name === name)).length;
  return messages.reduce((best, candidate) => known(candidate) > known(best) ? candidate : best);
}
