import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { memoised } from "../json/memoised.ts";
import { WireError, WireReader, WireType } from "./reader.ts";
import { checkText, textOf } from "./text.ts";

/** Messages may contain one another this deep. */
const MAX_DEPTH = 100;

/** The limits that an encoded message must keep. */
export interface MessageLimits {
  /** Items of one list, at most. */
  readonly listItems: number;
  /** Characters of one text, at most. */
  readonly textLength: number;
}

interface FieldPlan {
  readonly name: string;
  readonly wireType: number;
  readonly isText: boolean;
  /** How many there may be is limited. */
  readonly isRepeated: boolean;
  /** Numbers may come together, as one piece of bytes. */
  readonly isPackable: boolean;
  readonly message: (() => MessagePlan) | undefined;
}
type MessagePlan = ReadonlyMap<number, FieldPlan>;

/**
 * Checks an encoded message as a decoder would, and keeps the limits: every field of the message is encoded as its type
 * says, texts are UTF-8 without NUL, neither they nor lists are too long. Fields that the message does not have are only
 * passed over.
 *
 * @throws WireError with the path of the fault
 */
export function checkMessage(desc: DescMessage, bytes: Uint8Array, limits: MessageLimits): void {
  check(planOf(desc), new WireReader(bytes), limits, 0);
}

const planOf: (desc: DescMessage) => MessagePlan = memoised((desc) =>
  new Map(desc.fields.map((field) => [field.number, planField(field)]))
);

function planField(field: DescField): FieldPlan {
  const isRepeated = field.fieldKind === "list" || field.fieldKind === "map";
  if (field.fieldKind === "map") return { ...plan(field.name, undefined), isRepeated, message: () => entryPlan(field) };
  const { message, name } = field;
  const own = message === undefined
    ? plan(name, field.scalar ?? ScalarType.INT32)
    : { ...plan(name, undefined, field.delimitedEncoding), message: () => planOf(message) };
  return { ...own, isRepeated, isPackable: isRepeated && own.wireType !== WireType.bytes && message === undefined };
}

const entryPlan: (field: DescField & { fieldKind: "map" }) => MessagePlan = memoised((field) => {
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
  if (depth > MAX_DEPTH) throw new WireError("messages contain one another too deep");
  let counts: Map<number, number> | undefined;
  while (reader.next()) {
    const { field } = reader;
    const own = plan.get(field);
    if (own === undefined) {
      reader.skip();
      continue;
    }
    const index = counts?.get(field) ?? 0;
    const count = checkField(own, index, reader, limits, depth);
    if (!own.isRepeated) continue;
    if (index + count > limits.listItems) {
      throw new WireError(`must have at most ${limits.listItems} items`).under(own.name);
    }
    counts ??= new Map();
    counts.set(field, index + count);
  }
}

function checkField(own: FieldPlan, index: number, reader: WireReader, limits: MessageLimits, depth: number): number {
  try {
    return checkValue(own, reader, limits, depth);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw error.under(own.isRepeated ? `${own.name}[${index}]` : own.name);
  }
}

/** Goes behind a value; answers how many items it is. */
function checkValue(own: FieldPlan, reader: WireReader, limits: MessageLimits, depth: number): number {
  if (reader.wireType !== own.wireType) return checkPacked(own, reader);
  reader.skip();
  const { bytes, from, to } = reader;
  if (own.isText) checkLength(bytes, from, to, checkText(bytes, from, to), limits);
  else if (own.message !== undefined && own.wireType === WireType.bytes) {
    check(own.message(), new WireReader(bytes, from, to), limits, depth + 1);
  }
  return 1;
}

function checkPacked(own: FieldPlan, reader: WireReader): number {
  if (!own.isPackable || reader.wireType !== WireType.bytes) throw new WireError("is encoded as another type");
  reader.span();
  const items = new WireReader(reader.bytes, reader.from, reader.to);
  items.wireType = own.wireType;
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
