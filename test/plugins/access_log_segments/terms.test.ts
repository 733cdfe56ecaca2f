import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { ipKey } from "../../../plugins/http_access_log/contract/ip_key.ts";
import { writeIpv6 } from "../../../plugins/access_log_segments/rows/addresses.ts";
import { Bloom } from "../../../plugins/access_log_segments/terms/bloom.ts";
import { hashBytes } from "../../../plugins/access_log_segments/rows/bytes.ts";
import { Dictionary } from "../../../plugins/access_log_segments/terms/dictionary.ts";
import { IdKey, IdTable } from "../../../plugins/access_log_segments/unsealed/id_table.ts";
import { Random } from "../../harness/random.ts";
import { encodeBatch, rowBuffer, rowsOf } from "../../../plugins/access_log_segments/rows/batch.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns a dictionary of the texts, one per row. */
function dictionaryOf(texts: readonly string[]): Dictionary {
  const dictionary = new Dictionary();
  for (const [row, text] of texts.entries()) {
    const bytes = encoder.encode(text);
    dictionary.add(row, bytes, 0, bytes.length);
  }
  return dictionary;
}

function byBytes(texts: Iterable<string>): string[] {
  return [...texts].sort((one, other) => Buffer.compare(encoder.encode(one), encoder.encode(other)));
}

describe("the values of a column", () => {
  const numbers = Array.from({ length: 3000 }, (_, index) => index * 7919 % 3001);
  test.each<[string, readonly string[]]>([
    ["none", []],
    ["few", ["b", "a", "", "ab"]],
    ["that differ in the first bytes", numbers.map((number) => `${number}`)],
    ["that differ late", numbers.map((number) => `https://www.example.com/a/b/c/${number}/d/e/f`)],
    ["of which many are prefixes of others", numbers.map((number) => "x".repeat(number % 700))],
    ["with zeros", numbers.map((number) => `a${"\0".repeat(number % 40)}${number % 3 === 0 ? "" : number % 5}`)],
    ["of every byte", numbers.map((number) => String.fromCodePoint(number * 37 % 0xd800, number))],
  ])("are in the order of their bytes: %s", (_name, texts) => {
    const found = [...dictionaryOf(texts).values()].map(({ bytes, from, to, rows }) => ({
      text: decoder.decode(bytes.subarray(from, to)),
      rows: [...rows],
    }));
    expect(found.map(({ text }) => text)).toEqual(byBytes(new Set(texts)));
    for (const { text, rows } of found) expect(rows.map((row) => texts[row])).toEqual(rows.map(() => text));
    expect(found.flatMap(({ rows }) => rows)).toHaveLength(texts.length);
  });
});

test("texts that differ anywhere have different hashes", () => {
  const ends = ["a".repeat(40), "b".repeat(40)];
  const texts = Array.from({ length: 10_000 }, (_, index) => encoder.encode(ends.join(`${index}`)));
  expect(new Set(texts.map((text) => hashBytes(text, 0, text.length))).size).toBeGreaterThan(9990);
  const zeros = new Uint8Array(1000);
  const ofZeros = Array.from({ length: 1000 }, (_, count) => hashBytes(zeros, 0, count));
  expect(new Set(ofZeros).size).toBeGreaterThan(990);
});

test("the Bloom filter of request ids has the bits of the file format", () => {
  const bloom = Bloom.forIds(10);
  const id = encoder.encode("17000000000001234000001");
  bloom.add(id, 0, id.length);
  expect(Buffer.from(bloom.bytes).toString("hex")).toBe("000048000001000000000002000000000004008000");
});

describe("a table of request ids", () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `17000000000${index}`);
  const noBytes = new Uint8Array(0);
  const entries = [...ids, ids[5]!].map((requestId) => ({
    ...{ requestId, userId: 0n, nodeClusterId: 0n, log: noBytes, requestBody: noBytes },
  }));
  const buffer = rowBuffer(encodeBatch(entries));
  const starts = [...rowsOf(buffer)];
  const keyOf = (id: string) => IdKey.of(encoder.encode(id));
  function filled(): IdTable {
    const table = new IdTable({ bufferOf: () => buffer, startOf: (row) => starts[row]! });
    for (const [row, { requestId }] of entries.entries()) table.add(row, keyOf(requestId));
    return table;
  }

  test("finds every id, the last row of a repeated id, and no other", () => {
    const table = filled();
    const rows = ids.map((id) => table.find(keyOf(id)));
    expect(rows).toEqual(ids.map((_id, index) => index === 5 ? ids.length : index));
    expect(table.find(keyOf("17000000000"))).toBe(-1);
  });

  test("does not find rows that were discarded", () => {
    const table = filled();
    table.rebuild(100);
    expect(ids.map((id) => table.find(keyOf(id)))).toEqual(ids.map((_id, index) => index < 100 ? index : -1));
  });
});

describe("addresses", () => {
  const keyOf = (text: string) => {
    const bytes = encoder.encode(`..${text}..`);
    const key = new Uint8Array(20).fill(7);
    const isPlain = writeIpv6(bytes, 2, bytes.length - 2, key, 2);
    expect([key[0], key[1], key[18], key[19]]).toEqual([7, 7, 7, 7]);
    return isPlain ? Buffer.from(key.subarray(2, 18)).toString("hex") : undefined;
  };

  test("IPv6 addresses have the same key as their texts", () => {
    const random = new Random(3);
    const group = () => random.below(3) === 0 ? "0" : random.below(0x10000).toString(16).slice(0, 1 + random.below(4));
    for (let index = 0; index < 5000; index++) {
      const groups = Array.from({ length: 1 + random.below(9) }, group);
      if (random.below(2) === 0) groups.splice(random.below(groups.length + 1), 0, "");
      const text = groups.join(":").replace(/^:|:$/g, random.below(4) === 0 ? ":" : "::");
      const expected = text.includes(":") ? ipKey(text) : undefined;
      expect([text, keyOf(random.below(2) === 0 ? text : text.toUpperCase())]).toEqual([text, expected]);
    }
  });

  test.each(["::", "::1", "1::", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "2001:DB8::aBc"])("%s is parsed", (text) => {
    expect(keyOf(text)).toBe(ipKey(text));
    expect(keyOf(text)).toHaveLength(32);
  });

  test.each([
    "",
    ":",
    ":::",
    "1",
    "1:",
    ":1",
    "1::2::3",
    "12345::",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "::g",
    "[::1]",
  ])(
    '"%s" is not parsed',
    (text) => expect(keyOf(text)).toBeUndefined(),
  );

  test("addresses that end in dotted IPv4 are not parsed", () => expect(keyOf("::ffff:1.2.3.4")).toBeUndefined());
});
