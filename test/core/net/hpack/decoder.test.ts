import { describe, expect, test } from "vitest";
import { HpackDecoder, HpackError } from "../../../../core/net/hpack/decoder.ts";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { DynamicTable, STATIC_TABLE } from "../../../../core/net/hpack/tables.ts";
import { HeaderField } from "../../../../core/net/hpack/header_field.ts";

function bytesOf(hex: string): Uint8Array {
  const digits = hex.replace(/\s/g, "");
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) => parseInt(digits.slice(at * 2, at * 2 + 2), 16));
}

function decode(decoder: HpackDecoder, hex: string): string[] {
  const bytes = bytesOf(hex);
  return decoder.decode(bytes, 0, bytes.length).fields.map(({ name, value }) => `${name}: ${value}`);
}

const REQUEST = [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"];
const LATER = [":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com"];
const RESPONSE = [
  ":status: 302",
  "cache-control: private",
  "date: Mon, 21 Oct 2013 20:13:21 GMT",
  "location: https://www.example.com",
];

describe("the examples of RFC 7541, appendix C", () => {
  test.each([
    ["C.2.1", "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", "custom-key: custom-header"],
    ["C.2.2", "040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path"],
    ["C.2.3", "1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret"],
    ["C.2.4", "82", ":method: GET"],
  ])("%s: one field", (_section, hex, field) => {
    expect(decode(new HpackDecoder(4096, 65_536), hex)).toEqual([field]);
  });

  test.each([
    ["C.3: requests", [
      "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
      "8286 84be 5808 6e6f 2d63 6163 6865",
      "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ]],
    ["C.4: requests with Huffman coding", [
      "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
      "8286 84be 5886 a8eb 1064 9cbf",
      "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
    ]],
  ])("%s", (_section, blocks) => {
    const decoder = new HpackDecoder(4096, 65_536);
    expect(blocks.map((hex) => decode(decoder, hex))).toEqual([
      REQUEST,
      [...REQUEST, "cache-control: no-cache"],
      [...LATER, "custom-key: custom-value"],
    ]);
  });

  test.each([
    ["C.5: responses with eviction", [
      `4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d
       546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d`,
      "4803 3330 37c1 c0bf",
      `88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f
       6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b
       2076 6572 7369 6f6e 3d31`,
    ]],
    ["C.6: responses with eviction and Huffman coding", [
      `4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7
       8f0b 97c8 e9ae 82ae 43d3`,
      "4883 640e ffc1 c0bf",
      `88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335
       dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07`,
    ]],
  ])("%s", (_section, blocks) => {
    const decoder = new HpackDecoder(256, 65_536);
    expect(blocks.map((hex) => decode(decoder, hex))).toEqual([
      RESPONSE,
      [":status: 307", ...RESPONSE.slice(1)],
      [
        ":status: 200",
        RESPONSE[1],
        "date: Mon, 21 Oct 2013 20:13:22 GMT",
        RESPONSE[3],
        "content-encoding: gzip",
        "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
      ],
    ]);
  });
});

describe("refuses", () => {
  test.each([
    ["2.3.3", "the index 0", "80"],
    ["2.3.3", "an index beyond the tables", "be"],
    ["5.1", "a truncated number", "ffff ffff"],
    ["5.1", "a number that is too large", "7fff ffff ffff 0f"],
    ["5.1", "a number with a hundred leading zeros", `ff${"80".repeat(100)}00`],
    ["5.2", "a string that exceeds the block", "400a 6162"],
    ["5.2", "Huffman coding with 8 bits of padding", "0085 f2b2 4a84 ff0a 61"],
    ["5.2", "padding that is not all ones", "0081 1801 61"],
    ["5.2", "the end-of-string code", "0084 ffff ffff 0161"],
    ["6.3", "a table size above the limit", "3fe2 1f"],
    ["4.2", "a table size after a field", "8220"],
  ])("%s: %s", (_section, _name, hex) => {
    expect(() => decode(new HpackDecoder(4096, 65_536), hex)).toThrow(HpackError);
  });
});

test("4.2: the table size may change several times at the beginning of a block", () => {
  const decoder = new HpackDecoder(4096, 65_536);
  decode(decoder, "4001 6101 62");
  expect(decode(decoder, "20 3fe1 1f 82")).toEqual([":method: GET"]);
  expect(() => decode(decoder, "be")).toThrow();
});

test("4.4: a field larger than the table empties it", () => {
  const table = new DynamicTable(100);
  table.add(new HeaderField("a", "b"));
  table.add(new HeaderField("x".repeat(60), "y".repeat(60)));
  expect([table.length, table.size]).toEqual([0, 0]);
});

test("the table grows, wraps around and evicts the oldest fields", () => {
  const table = new DynamicTable(40 * 36);
  for (let number = 0; number < 1000; number++) table.add(new HeaderField("n", String(number).padStart(3, "0")));
  expect(table.length).toBe(40);
  expect([table.get(0)?.value, table.get(39)?.value, table.get(40)]).toEqual(["999", "960", undefined]);
});

test("a list above the limit is decoded to its end, and truncated", () => {
  const decoder = new HpackDecoder(4096, 100);
  const block = encodeHeaderBlock([["a", "1".repeat(40)], ["b", "2".repeat(40)]]);
  const { fields, isTooLarge } = decoder.decode(block, 0, block.length);
  expect([fields.length, isTooLarge]).toEqual([1, true]);
});

test("appendix A: the static table", () => {
  expect(STATIC_TABLE.length).toBe(61);
  const at = (index: number) => STATIC_TABLE[index - 1];
  expect([at(1)?.name, at(8)?.value, at(16)?.value, at(31)?.name, at(54)?.name, at(61)?.name])
    .toEqual([":authority", "200", "gzip, deflate", "content-type", "server", "www-authenticate"]);
});
