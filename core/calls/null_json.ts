import { type DescField, type DescMessage, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { json } from "../../proto/options_pb.ts";
import { memoize } from "../protobuf/json/memoize.ts";

type Fields = Record<string, unknown>;
type Change = (message: Fields) => void;

const EMPTY = new Uint8Array();
const NULL = new TextEncoder().encode("null");

/**
 * Empties the bytes fields of a request that contain the JSON `null`, also in nested messages: clients send it for what is
 * not given, as they get it when they encode a reference to nothing.
 */
export function emptyNullJson(input: DescMessage, request: unknown): void {
  changeOf(input)?.(request as Fields);
}

const changeOf = memoize((desc: DescMessage): Change | undefined => compile(desc, []));

/** Returns undefined if no field of the message contains JSON, which is so for most. */
function compile(desc: DescMessage, parents: readonly DescMessage[]): Change | undefined {
  if (parents.includes(desc)) return undefined;
  const changes = desc.fields.flatMap((field) => fieldChange(field, [...parents, desc]) ?? []);
  return changes.length === 0 ? undefined : (message) => {
    for (const change of changes) change(message);
  };
}

function fieldChange(field: DescField, parents: readonly DescMessage[]): Change | undefined {
  const { localName } = field;
  if (field.fieldKind === "scalar") {
    if (field.scalar !== ScalarType.BYTES || !containsJson(field)) return undefined;
    return (message) => {
      if (isNull(message[localName])) message[localName] = EMPTY;
    };
  }
  if (field.fieldKind !== "message" && field.fieldKind !== "list" || field.message === undefined) return undefined;
  const change = compile(field.message, parents);
  if (change === undefined) return undefined;
  return (message) => {
    const value = message[localName];
    if (Array.isArray(value)) value.forEach(change);
    else if (value !== undefined) change(value as Fields);
  };
}

function containsJson(field: DescField): boolean {
  return hasOption(field, json) && getOption(field, json) !== "";
}

function isNull(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === NULL.length && value.every((byte, at) => byte === NULL[at]);
}
