import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { memoize } from "../json/memoize.ts";
import { WireError, WireReader, WireType } from "./reader.ts";
import { checkText, textOf } from "./text.ts";

/** The maximum nesting depth of messages. */
const MAX_DEPTH = 100;

/** The limits of an encoded message. */
export interface MessageLimits {
  /** The maximum number of items in a list or map. */
  readonly listItems: number;
  /** The maximum length of a text, in characters. */
  readonly textLength: number;
}

interface FieldPlan {
  readonly name: string;
  readonly wireType: number;
  readonly isText: boolean;
  /** True for lists and maps, whose number of items is limited. */
  readonly isRepeated: boolean;
  /** True if the values may be packed into one record. */
  readonly isPackable: boolean;
  readonly message: (() => MessagePlan) | undefined;
}
type MessagePlan = ReadonlyMap<number, FieldPlan>;

/**
 * Checks an encoded message without decoding it: every field must be encoded according to its type, texts must be UTF-8
 * without NUL, and texts and lists must be within the limits. Unknown fields are skipped.
 *
 * @throws WireError with the path of the invalid field
 */
export function checkMessage(desc: DescMessage, bytes: Uint8Array, limits: MessageLimits): void {
  check(planOf(desc), new WireReader(bytes), limits, 0);
}

const planOf: (desc: DescMessage) => MessagePlan = memoize((desc) =>
  new Map(desc.fields.map((field) => [field.number, planField(field)]))
);

function planField(field: DescField): FieldPlan {
  const isRepeated = field.fieldKind === "list" || field.fieldKind === "map";
  if (field.fieldKind === "map") return { ...plan(field.name, undefined), isRepeated, message: () => entryPlan(field) };
  const { message, name } = field;
  const base = message === undefined
    ? plan(name, field.scalar ?? ScalarType.INT32)
    : { ...plan(name, undefined, field.delimitedEncoding), message: () => planOf(message) };
  return { ...base, isRepeated, isPackable: isRepeated && base.wireType !== WireType.bytes && message === undefined };
}

const entryPlan: (field: DescField & { fieldKind: "map" }) => MessagePlan = memoize((field) => {
  const { mapKey, message, scalar } = field;
  const value = message === undefined
    ? plan("value", scalar ?? ScalarType.INT32)
    : { ...plan("value", undefined), message: () => planOf(message) };
  return new Map([[1, plan("key", mapKey)], [2, value]]);
});

/** @param scalar undefined for messages */
function plan(name: string, scalar: ScalarType | undefined, isGroup = false): FieldPlan {
  const wireType = isGroup ? WireType.startGroup : wireTypeOf(scalar);
  const isText = scalar === ScalarType.STRING;
  return { name, wireType, isText, isRepeated: false, isPackable: false, message: undefined };
}

function wireTypeOf(scalar: ScalarType | undefined): number {
  switch (scalar) {
    case undefined:
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.bytes;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.bit32;
    default:
      return WireType.varint;
  }
}

function check(plan: MessagePlan, reader: WireReader, limits: MessageLimits, depth: number): void {
  if (depth > MAX_DEPTH) throw new WireError("messages are nested too deep");
  let counts: Map<number, number> | undefined;
  while (reader.next()) {
    const { field: number } = reader;
    const field = plan.get(number);
    if (field === undefined) {
      reader.skip();
      continue;
    }
    const index = counts?.get(number) ?? 0;
    const count = checkField(field, index, reader, limits, depth);
    if (!field.isRepeated) continue;
    if (index + count > limits.listItems) {
      throw new WireError(`must have at most ${limits.listItems} items`).under(field.name);
    }
    counts ??= new Map();
    counts.set(number, index + count);
  }
}

function checkField(field: FieldPlan, index: number, reader: WireReader, limits: MessageLimits, depth: number): number {
  try {
    return checkValue(field, reader, limits, depth);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw error.under(field.isRepeated ? `${field.name}[${index}]` : field.name);
  }
}

/** Checks and skips a value. Returns the number of items that it encodes. */
function checkValue(field: FieldPlan, reader: WireReader, limits: MessageLimits, depth: number): number {
  if (reader.wireType !== field.wireType) return checkPacked(field, reader);
  reader.skip();
  const { bytes, from, to } = reader;
  if (field.isText) checkLength(bytes, from, to, checkText(bytes, from, to), limits);
  else if (field.message !== undefined && field.wireType === WireType.bytes) {
    check(field.message(), new WireReader(bytes, from, to), limits, depth + 1);
  }
  return 1;
}

function checkPacked(field: FieldPlan, reader: WireReader): number {
  if (!field.isPackable || reader.wireType !== WireType.bytes) throw new WireError("has the wrong wire type");
  reader.span();
  const items = new WireReader(reader.bytes, reader.from, reader.to);
  items.wireType = field.wireType;
  let count = 0;
  for (; items.position < reader.to; count++) items.skip();
  return count;
}

function checkLength(
  bytes: Uint8Array,
  from: number,
  to: number,
  isAscii: boolean,
  { textLength }: MessageLimits,
): void {
  if (to - from <= textLength) return;
  const { length } = textOf(bytes, from, to, isAscii);
  if (length > textLength) throw new WireError(`must have at most ${textLength} characters, got ${length}`);
}
