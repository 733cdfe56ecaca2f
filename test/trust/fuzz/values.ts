import { create, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { jsonCodec } from "../../../core/protobuf/json/codec.ts";
import { jsonContentOf } from "../../../core/protobuf/json_content.ts";
import { randomMessage } from "../../core/protobuf/json/random_message.ts";
import type { Random } from "../../harness/random.ts";
import { isJSON } from "../../matrix/json_fields.ts";
import { strangeText } from "./texts.ts";

const LONGS = [
  ...[-1n, 0n, 1n, 2n, 3n, 4n, 5n, 7n, 10n, 100n, 1000n, 65_536n, 999_999_999n, 20_260_101n, 1_790_000_000n],
  ...[2n ** 31n - 1n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 31n), -(2n ** 63n)],
  ...[1_790_000_000_000n, 253_402_300_800n, 8_640_000_000_001n],
];
const INTEGERS = [-(2 ** 31), -1, 0, 1, 2, 3, 5, 10, 60, 80, 100, 443, 1000, 65_535, 65_536, 86_400, 2 ** 31 - 1];
const DOUBLES = [0, -0, 0.5, 1, -1, 100, 1e-7, 1e15, 1e21, 5e-324, Number.MAX_VALUE, NaN, Infinity, -Infinity];
const ENUMS = [-1, 0, 1, 2, 3, 99];
const HUGE_LIST_EVERY = 60;
/** JSON texts that a bytes field may contain, or that are almost JSON. */
const JSON_TEXTS: readonly string[] = [
  "",
  "{",
  "null",
  "true",
  "0",
  "-0",
  "1e999",
  '"x"',
  '"\\u0000"',
  '"\\ud800"',
  "[]",
  "{}",
  "[null]",
  "[{}]",
  "[[]]",
  '{"__proto__":{"isOn":true}}',
  '{"isOn":true,"isOn":false}',
  '{"id":9223372036854775808}',
  '{"isOn":true,"x":[1]}',
  `${"[".repeat(99)}${"]".repeat(99)}`,
  `${'{"a":'.repeat(120)}1${"}".repeat(120)}`,
  "[".repeat(5000),
  `[${"{},".repeat(3000)}{}]`,
  "\ufeff{}",
  "{}\0",
];

/** Sets a few fields of a message, or of messages inside it, to strange values. */
export function mutate(desc: DescMessage, message: object, random: Random, depth = 3): void {
  if (desc.fields.length === 0) return;
  const target = message as Record<string, unknown>;
  for (let count = 1 + random.below(4); count > 0; count--) {
    const field = random.oneOf(desc.fields);
    if (field.oneof !== undefined) {
      const value = strangeValue(field, undefined, random, depth);
      target[field.oneof.localName] = { case: field.localName, value };
    } else target[field.localName] = strangeValue(field, target[field.localName], random, depth);
  }
}

/** @param present the value to vary */
function strangeValue(field: DescField, present: unknown, random: Random, depth: number): unknown {
  if (field.fieldKind === "map") return {};
  if (field.fieldKind !== "list") return strangeItem(field, present, random, depth);
  const items = Array.isArray(present) ? present : [];
  const item = () => strangeItem(field, items[0], random, depth);
  if (random.below(HUGE_LIST_EVERY) === 0) return Array(random.oneOf([1000, 10_001])).fill(smallItem(field, random));
  return [...random.below(2) === 0 ? items : [], ...random.list(4, item), ...random.below(4) === 0 ? items : []];
}

/** Returns an item of a list with thousands of them. */
function smallItem(field: DescField, random: Random): unknown {
  if (field.message !== undefined) return create(field.message);
  const value = strangeItem(field, undefined, random, 0);
  const isLong = (typeof value === "string" || value instanceof Uint8Array) && value.length > 100;
  return isLong ? value.slice(0, 100) : value;
}

function strangeItem(field: DescField, present: unknown, random: Random, depth: number): unknown {
  if (field.enum !== undefined) return random.oneOf(ENUMS);
  const { message } = field;
  if (message !== undefined) {
    const inner = randomMessage(message, random, depth > 0 ? 1 : 0);
    const isPlain = typeof inner === "object" && !message.typeName.startsWith("google.protobuf.");
    if (isPlain && depth > 0) mutate(message, inner, random, depth - 1);
    return inner;
  }
  const scalar = field.fieldKind === "map" ? undefined : field.scalar;
  if (scalar === ScalarType.BYTES) return isJSON(field) ? strangeJson(field, present, random) : bytes(random);
  return strangeScalar(scalar, random);
}

function strangeScalar(scalar: ScalarType | undefined, random: Random): unknown {
  switch (scalar) {
    case ScalarType.STRING:
      return strangeText(random);
    case ScalarType.BOOL:
      return random.below(2) === 0;
    case ScalarType.DOUBLE:
      return random.oneOf(DOUBLES);
    case ScalarType.FLOAT:
      return Math.fround(random.oneOf([0, -1, 0.5, 1e30, NaN, Infinity]));
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return random.oneOf(INTEGERS);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return random.oneOf(INTEGERS) >>> 0;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return BigInt.asUintN(64, random.oneOf(LONGS));
    default:
      return random.oneOf(LONGS);
  }
}

const encoder = new TextEncoder();

function bytes(random: Random): Uint8Array {
  if (random.below(4) > 0) return encoder.encode(strangeText(random));
  return Uint8Array.from(random.list(300, () => random.below(256)));
}

function strangeJson(field: DescField, present: unknown, random: Random): Uint8Array {
  const kind = random.below(6);
  if (kind === 0) return encoder.encode(random.oneOf(JSON_TEXTS));
  if (kind === 1) return bytes(random);
  const isPresent = present instanceof Uint8Array && present.length > 0 && random.below(2) === 0;
  const text = isPresent ? new TextDecoder().decode(present) : declaredJson(field, random);
  return encoder.encode(kind < 5 ? changedJson(text, random) : text);
}

function declaredJson(field: DescField, random: Random): string {
  const content = jsonContentOf(field);
  const shape = content && random.oneOf(content.shapes);
  if (shape === undefined || typeof shape === "string") return random.oneOf(JSON_TEXTS);
  const item = () => {
    const message = randomMessage(shape, random, 2);
    if (random.below(2) === 0) mutate(shape, message, random, 2);
    return jsonCodec(shape).encode(message as never);
  };
  return content!.isList ? `[${random.list(3, item).join(",")}]` : item();
}

/** A literal after a colon, a bracket or a comma. */
const LITERAL = /(?<=[:[,])("[^"\\]*"|-?\d[\d.e+]*|true|false|null|\{\}|\[\])/g;

/** Replaces one of the literals of JSON with another, of any type. */
function changedJson(text: string, random: Random): string {
  const found = [...text.matchAll(LITERAL)];
  if (found.length === 0) return text;
  const { index, 0: literal } = random.oneOf(found);
  const other = random.below(2) === 0 ? JSON.stringify(strangeText(random)) : random.oneOf(JSON_TEXTS.slice(2, 16));
  return text.slice(0, index) + other + text.slice(index + literal.length);
}
