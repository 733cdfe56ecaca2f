import { describe, expect, test } from "vitest";
import { decodeBase64, encodeBase64, encodePairs } from "../../../../core/protobuf/json/base64.ts";
import { Random } from "../../../harness/random.ts";

describe("base64", () => {
  test.each([
    ["", []],
    ["AA==", [0]],
    ["/w==", [255]],
    ["AQI=", [1, 2]],
    ["AQID", [1, 2, 3]],
    ["+/+/", [251, 255, 191]],
  ])("encodes and decodes %j", (text, bytes) => {
    expect(encodeBase64(new Uint8Array(bytes))).toBe(text);
    expect(decodeBase64(text)).toEqual(new Uint8Array(bytes));
  });

  test.each([["_w==", [255]], ["_w", [255]], ["-_-_", [251, 255, 191]], ["AQI", [1, 2]], ["/_8", [255, 255]]])(
    "decodes %j",
    (text, bytes) => {
      expect(decodeBase64(text)).toEqual(new Uint8Array(bytes));
    },
  );

  test.each([
    "A",
    "AAAAA",
    "A===",
    "AA=",
    "AAA==",
    "AAAA=",
    "AAAA==",
    "=",
    "==",
    "A=A=",
    "AA AA",
    "AAAA\n",
    "AA.A",
    "AAÄA",
  ])(
    "refuses %j",
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );

  test("encodes like btoa, for every length", () => {
    const random = new Random(1);
    for (let length = 0; length < 300; length++) {
      const bytes = Uint8Array.from({ length }, () => random.below(256));
      const text = encodeBase64(bytes);
      expect(text).toBe(btoa(String.fromCharCode(...bytes)));
      expect(encodePairs(bytes)).toBe(text);
      expect(decodeBase64(text)).toEqual(bytes);
    }
  });
});
