import {
  create,
  type DescMessage,
  fromJsonString,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import type { EventKind } from "./event_kind.ts";

/** The maximum length of a text in the data of an event; longer ones are cut. */
export const MAX_EVENT_TEXT = 1000;
/** The maximum size of the data of an event as JSON. */
export const MAX_EVENT_BYTES = 16 * 1024;

/**
 * Returns the data of an event as JSON, with long texts cut, so that a long name cannot undo the change that it is in.
 *
 * @throws Error if it is too large nevertheless
 */
export function encodeEventData<Data extends DescMessage>(kind: EventKind<Data>, data: MessageInitShape<Data>): string {
  const text = JSON.stringify(withShortTexts(toJson(kind.data, create(kind.data, data))));
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_EVENT_BYTES) {
    throw new Error(`the data of event "${kind.name}" has ${bytes} bytes, more than the ${MAX_EVENT_BYTES} allowed`);
  }
  return text;
}

/**
 * Returns the data of a stored event. Fields that this release does not have are ignored.
 *
 * @throws Error if it cannot be read
 */
export function decodeEventData(kind: EventKind, dataJSON: string): MessageShape<DescMessage> {
  return fromJsonString(kind.data, dataJSON, { ignoreUnknownFields: true });
}

function withShortTexts(value: JsonValue): JsonValue {
  if (typeof value === "string") return shortText(value);
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShortTexts(member)]));
}

function shortText(text: string): string {
  return text.length <= MAX_EVENT_TEXT ? text : `${text.slice(0, MAX_EVENT_TEXT - 1).toWellFormed()}…`;
}
