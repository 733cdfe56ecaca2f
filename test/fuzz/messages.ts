import { type DescField, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { jsonCodec } from "../../core/protobuf/json/codec.ts";
import type { Random } from "../harness/random.ts";
import { randomMessage } from "../core/protobuf/json/random_message.ts";

/** JSON values that are invalid, or valid but unusual, for any field. */
const ODD_JSON: readonly string[] = [
  "null",
  "true",
  "-0",
  "1e999",
  "-1e-999",
  "9007199254740993",
  "-9223372036854775809",
  "18446744073709551616",
  "1".repeat(400),
  "0.1",
  '"12"',
  '"-1"',
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\uffff\\u202e"',
  `"${"x".repeat(70_000)}"`,
  '"=="',
  '"AA=="',
  '"' + "../".repeat(40) + '"',
  '"\'; drop table admins; --"',
  "[]",
  "[[]]",
  "[null]",
  '[1,"2",{}]',
  "{}",
  '{"":{}}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"hasOwnProperty":2,"length":-1}',
  `${"[".repeat(99)}${"]".repeat(99)}`,
  `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`,
  "[".repeat(200_000),
  `[${"0,".repeat(20_000)}0]`,
];

/** Characters that break JSON almost anywhere. */
const BREAKING_TEXTS: readonly string[] = [
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\\",
  "\0",
  "\n",
  "-",
  "e",
  "\u2028",
  "'",
  "//",
];

/** Ids that may exist, and invalid ids. */
const IDS: readonly string[] = ["1", "2", "0", "-1", '"1"', "9007199254740991", '"9223372036854775807"', "1.5", "null"];

/**
 * Returns malformed JSON of a request, which may be only slightly wrong. The same state of `random` returns the same
 * text.
 */
export function malformedJson(desc: DescMessage, random: Random): string {
  switch (random.below(8)) {
    case 0:
      return random.oneOf(ODD_JSON);
    case 1:
      return brokenJson(validJson(desc, random), random);
    case 2:
      return validJson(desc, random).slice(0, random.below(60));
    case 3:
      return `{${desc.fields.map((field) => member(field, random.oneOf(ODD_JSON))).join(",")}}`;
    case 4:
      return `{${desc.fields.map((field) => member(field, plausible(field, random))).join(",")}}`;
    case 5: {
      const field = fieldOf(desc, random);
      return `{${[1, 2, 3].map(() => member(field, random.oneOf(ODD_JSON))).join(",")}}`;
    }
    case 6:
      return `{"__proto__":${validJson(desc, random)},${member(fieldOf(desc, random), random.oneOf(ODD_JSON))}}`;
    default:
      return validJson(desc, random);
  }
}

/** Returns malformed protobuf bytes of a request, for the protocols that use them. */
export function malformedBinary(desc: DescMessage, random: Random): Uint8Array<ArrayBuffer> {
  const valid = new Uint8Array(toBinary(desc, randomMessage(desc, random, 2)));
  switch (random.below(7)) {
    case 0:
      return Uint8Array.from(random.list(200, () => random.below(256)));
    case 1:
      return valid.slice(0, random.below(valid.length + 1));
    case 2:
      return changedBytes(valid, random);
    case 3: // Deeply nested groups or messages.
      return new Uint8Array(50_000).fill(random.oneOf([0x0b, 0x0a, 0x12, 0x1a]));
    case 4: // A length beyond all memory.
      return Uint8Array.from([0x0a + 8 * random.below(6), 0xff, 0xff, 0xff, 0xff, random.below(256), ...valid]);
    case 5: // A varint that does not end.
      return new Uint8Array([8 * (1 + random.below(9)), ...new Uint8Array(30).fill(0xff)]);
    default:
      return valid;
  }
}

export function changedBytes(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer> {
  const changed = new Uint8Array(bytes);
  for (let change = random.below(5); change >= 0 && changed.length > 0; change--) {
    changed[random.below(changed.length)] = random.below(256);
  }
  return changed;
}

function validJson(desc: DescMessage, random: Random): string {
  return jsonCodec(desc).encode(randomMessage(desc, random, 2) as never);
}

/** Returns a value of the right type, so that the request reaches the handler. */
function plausible(field: DescField, random: Random): string {
  if (field.fieldKind === "list") return random.oneOf(["[]", "[1]", '["a"]', "[{}]", `[${"1,".repeat(999)}1]`]);
  if (field.message !== undefined) return random.oneOf(["{}", "null", '{"id":1}']);
  if (field.scalar === 9) {
    return random.oneOf(['"a"', '"example.com"', '""', '"\\ud83d\\ude00"', '"%\\\\_"', `"${"y".repeat(300)}"`]);
  }
  if (field.scalar === 8) return random.oneOf(["true", "false"]);
  if (field.scalar === 12) {
    return random.oneOf(['""', '"e30="', "{}", "[]", '{"isOn":true,"x":[1]}', '"bm90IGpzb24="', '"AAEC/w=="']);
  }
  return random.oneOf(IDS);
}

function member({ name }: DescField, value: string): string {
  return `"${name}":${value}`;
}

function fieldOf({ fields }: DescMessage, random: Random): DescField {
  return fields.length === 0 ? { name: "none" } as DescField : random.oneOf(fields);
}

function brokenJson(text: string, random: Random): string {
  let broken = text;
  for (let change = random.below(3); change >= 0; change--) {
    const at = random.below(broken.length + 1);
    broken = broken.slice(0, at) + random.oneOf(BREAKING_TEXTS) + broken.slice(at + random.below(3));
  }
  return broken;
}
