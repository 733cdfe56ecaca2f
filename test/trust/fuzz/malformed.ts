import { clone, type DescField, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { jsonCodec } from "../../../core/protobuf/json/codec.ts";
import { randomMessage } from "../../core/protobuf/json/random_message.ts";
import type { Random } from "../../harness/random.ts";
import { isJSON } from "../../matrix/json_fields.ts";
import type { TargetOperation } from "../target/installation.ts";
import { mutate } from "./values.ts";

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

type Request = Pick<TargetOperation, "method" | "request">;

/**
 * Returns the JSON of a request: often a valid message with a few strange values, sometimes hardly JSON. The same state
 * of `random` returns the same text.
 */
export function strangeJsonRequest({ method: { input: desc }, request }: Request, random: Random): string {
  switch (random.below(20)) {
    case 0:
      return random.oneOf(ODD_JSON);
    case 1:
      return brokenJson(validJson(desc, random), random);
    case 2:
      return validJson(desc, random).slice(0, random.below(60));
    case 3:
      return `{${desc.fields.map((field) => member(field, smallOdd(random))).join(",")}}`;
    case 4:
      return `{${desc.fields.map((field) => member(field, plausible(field, random))).join(",")}}`;
    case 5: {
      const field = fieldOf(desc, random);
      return `{${[1, 2, 3].map(() => member(field, smallOdd(random))).join(",")}}`;
    }
    case 6:
      return `{"__proto__":${validJson(desc, random)},${member(fieldOf(desc, random), random.oneOf(ODD_JSON))}}`;
    case 7:
      return validJson(desc, random);
    case 8:
    case 9:
      return withOddMember(jsonOf(desc, request), fieldOf(desc, random), random);
    default: {
      const message = strangeMessage(desc, request, random);
      return random.below(3) === 0 ? withInlineJson(desc, message) : jsonOf(desc, message);
    }
  }
}

/** Returns the protobuf bytes of a request: often a valid message with strange values, sometimes not protobuf. */
export function strangeBinary({ method: { input: desc }, request }: Request, random: Random): Uint8Array<ArrayBuffer> {
  if (random.below(5) > 1) {
    const bytes = new Uint8Array(toBinary(desc, strangeMessage(desc, request, random)));
    return random.below(4) === 0 ? withLoneSurrogates(bytes) : bytes;
  }
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

/** Returns the request, which refers to objects that exist, with a few strange values. */
function strangeMessage(desc: DescMessage, request: Message, random: Random): Message {
  const message = clone(desc, request);
  if (random.below(12) > 0) mutate(desc, message, random);
  return message;
}

/** Replaces each U+FFFD, as which lone surrogates are encoded, with the bytes of one, which are not UTF-8. */
function withLoneSurrogates(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) bytes.set([0xed, 0xa0, 0x80], at);
  }
  return bytes;
}

function jsonOf(desc: DescMessage, message: Message): string {
  return jsonCodec(desc).encode(message as never);
}

/** Returns JSON in which bytes fields with JSON are no texts in base64, but the JSON itself. */
function withInlineJson(desc: DescMessage, message: Message): string {
  const values = message as unknown as Record<string, unknown>;
  const inline = desc.fields.filter(isJSON).flatMap((field) => {
    const bytes = values[field.localName];
    if (!(bytes instanceof Uint8Array) || bytes.length === 0) return [];
    values[field.localName] = new Uint8Array();
    return [member(field, new TextDecoder().decode(bytes))];
  });
  return withMembers(jsonOf(desc, message), inline);
}

function withOddMember(text: string, field: DescField, random: Random): string {
  return withMembers(text, [member(field, random.oneOf(ODD_JSON))]);
}

function withMembers(text: string, members: readonly string[]): string {
  if (members.length === 0) return text;
  return `${text.slice(0, -1)}${text === "{}" ? "" : ","}${members.join(",")}}`;
}

function smallOdd(random: Random): string {
  return random.oneOf(ODD_JSON.slice(0, -5));
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
