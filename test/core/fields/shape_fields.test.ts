import { durationField, durationJSON, orUnchanged, sizeField, sizeJSON } from "edgehelm/fields";
import { jsonListBytes } from "edgehelm/wire";
import { describe, expect, test } from "vitest";
import { SizeCapacitySchema } from "../../../proto/shapes/size_capacity_pb.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe("sizeField", () => {
  test.each([
    [0n, ""],
    [-1n, "gb"],
    [7n, "eb"],
    [2n ** 63n - 1n, "byte"],
  ])("accepts %s %s", (count, unit) => {
    expect(() => sizeField("size", { count, unit })).not.toThrow();
  });

  test.each([
    [1n, "", "size.unit: must be one of byte, kb, mb, gb, tb, pb, eb"],
    [1n, "GB", "size.unit: must be one of"],
    [-2n, "gb", "size.count: must be -1 to 8589934591, got -2"],
    [8n, "eb", "size.count: must be -1 to 7, got 8"],
  ])("refuses %s %s", (count, unit, message) => {
    expect(() => sizeField("size", { count, unit })).toThrow(message);
  });
});

describe("durationField", () => {
  test.each([[0n, ""], [0n, "second"], [52n, "week"]])("accepts %s %s", (count, unit) => {
    expect(() => durationField("life", { count, unit })).not.toThrow();
  });

  test.each([
    [1n, "year", "life.unit: must be one of ms, second, minute, hour, day, week"],
    [-1n, "day", "life.count: must be 0 to 2147483647, got -1"],
    [2n ** 31n, "ms", "life.count: must be 0 to 2147483647, got 2147483648"],
  ])("refuses %s %s", (count, unit, message) => {
    expect(() => durationField("life", { count, unit })).toThrow(message);
  });
});

test("sizeJSON and durationJSON decode a field, and return undefined for empty bytes", () => {
  expect(sizeJSON("maxSizeJSON", bytes('{"count": 5, "unit": "mb"}'))).toMatchObject({ count: 5n, unit: "mb" });
  expect(durationJSON("lifeJSON", bytes('{"count": 5, "unit": "day"}'))).toMatchObject({ count: 5n, unit: "day" });
  expect(sizeJSON("maxSizeJSON", bytes(""))).toBeUndefined();
  expect(durationJSON("lifeJSON", bytes(""))).toBeUndefined();
  expect(() => sizeJSON("maxSizeJSON", bytes("[]"))).toThrow("maxSizeJSON: expected a JSON object");
  expect(() => durationJSON("lifeJSON", bytes('{"count": 1}'))).toThrow("lifeJSON.unit: must be one of");
});

test("a JSON field may have at most 1 MiB", () => {
  expect(() => sizeJSON("sizeJSON", bytes(`{"count":1,"unit":"kb"${" ".repeat(1_048_576)}}`)))
    .toThrow("sizeJSON: must have at most 1048576 bytes, got 1048599");
});

test("orUnchanged returns the stored bytes if the request has none", () => {
  expect(orUnchanged(bytes(""), bytes("old"))).toEqual(bytes("old"));
  expect(orUnchanged(bytes("new"), bytes("old"))).toEqual(bytes("new"));
});

test("jsonListBytes encodes an array of complete messages", () => {
  const list = jsonListBytes(SizeCapacitySchema, [{ count: 1n, unit: "kb" }, {}]);
  expect(new TextDecoder().decode(list)).toBe('[{"count":1,"unit":"kb"},{"count":0,"unit":""}]');
  expect(new TextDecoder().decode(jsonListBytes(SizeCapacitySchema, []))).toBe("[]");
});
