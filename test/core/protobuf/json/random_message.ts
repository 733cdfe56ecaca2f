import { create, type DescField, type DescMessage, fromJson, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc, ListValueSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { setOwn } from "../../../../core/protobuf/json/value.ts";
import type { Random } from "../../../harness/random.ts";

const STRINGS = ["", "a", "example.com", 'q"u\\o\te\n', "ü😀\u2028\u007f", "__proto__", "x".repeat(200), "12", "null"];
const LONGS = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)];
const DOUBLES = [0, -0, 0.5, -1.25, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, NaN, Infinity, -Infinity];

/** Returns a message with random fields, nested at most `depth` levels deep. */
export function randomMessage<Desc extends DescMessage>(desc: Desc, random: Random, depth: number): MessageShape<Desc> {
  const message = create(desc) as MessageShape<Desc> & Record<string, unknown>;
  for (const field of desc.fields) {
    if (random.next() < 0.4 || depth === 0 && field.message !== undefined) continue;
    const value = randomField(field, random, depth);
    const target: Record<string, unknown> = message;
    if (field.oneof === undefined) target[field.localName] = value;
    else target[field.oneof.localName] = { case: field.localName, value };
  }
  return message;
}

function randomField(field: DescField, random: Random, depth: number): unknown {
  const value = () => randomValue(field, random, depth);
  if (field.fieldKind === "list") return random.list(3, value);
  if (field.fieldKind !== "map") return value();
  const map: Record<string, unknown> = {};
  for (const key of random.list(3, () => String(randomScalar(field.mapKey, random)))) setOwn(map, key, value());
  return map;
}

function randomValue(field: DescField, random: Random, depth: number): unknown {
  if (field.enum !== undefined) return random.oneOf([-1, 0, 1, 2, 99]);
  const desc = field.message;
  if (desc === undefined) {
    const isText = field.fieldKind !== "map" && "longAsString" in field && field.longAsString;
    const value = randomScalar(field.scalar ?? ScalarType.INT32, random);
    return isText ? String(value) : value;
  }
  if (desc.typeName === "google.protobuf.Struct") return { a: randomJson(random, 2), __b: randomJson(random, 2) };
  if (desc.typeName === "google.protobuf.Value") return fromJson(ValueSchema, randomJson(random, 3));
  if (desc.typeName === "google.protobuf.ListValue") return fromJson(ListValueSchema, [randomJson(random, 2)]);
  if (isWrapperDesc(desc)) return randomScalar(desc.fields[0].scalar, random);
  return randomMessage(desc, random, depth - 1);
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function randomJson(random: Random, depth: number): Json {
  const kind = random.below(depth === 0 ? 4 : 6);
  if (kind === 4) return random.list(3, () => randomJson(random, depth - 1));
  if (kind === 5) return { key: randomJson(random, depth - 1), "": randomJson(random, depth - 1) };
  return [null, random.next() < 0.5, random.below(1000) / 8, random.oneOf(STRINGS)][kind] ?? null;
}

function randomScalar(type: ScalarType, random: Random): unknown {
  switch (type) {
    case ScalarType.STRING:
      return random.oneOf(STRINGS);
    case ScalarType.BOOL:
      return random.next() < 0.5;
    case ScalarType.BYTES:
      return Uint8Array.from(random.list(9, () => random.below(256)));
    case ScalarType.DOUBLE:
      return random.oneOf([...DOUBLES, random.next()]);
    case ScalarType.FLOAT:
      return Math.fround(random.oneOf([...DOUBLES.filter((value) => value !== Number.MAX_VALUE), random.next()]));
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return random.oneOf([0, 1, 2 ** 32 - 1, random.below(2 ** 32)]);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return random.oneOf([0, -1, 2 ** 31 - 1, -(2 ** 31), random.below(2 ** 31)]);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return BigInt.asUintN(64, random.oneOf(LONGS));
    default:
      return random.oneOf([...LONGS, BigInt(random.below(2 ** 40))]);
  }
}
