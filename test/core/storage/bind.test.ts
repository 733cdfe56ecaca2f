import { describe, expect, test } from "vitest";
import { RpcError } from "../../../core/base/errors.ts";
import { bindable } from "../../../core/storage/bind.ts";
import type { SqlValue } from "../../../core/storage/engine.ts";
import { jsonRows } from "../../../core/storage/json_rows.ts";
import { toSqlValue } from "../../../core/storage/parameters.ts";

describe("bindable", () => {
  test("converts safe integers to bigints, and leaves other values unchanged", () => {
    const bytes = new Uint8Array([1]);
    expect(bindable([5, 1.5, 1e300, -3n, "é", bytes, null])).toEqual([5n, 1.5, 1e300, -3n, "é", bytes, null]);
  });

  test.each([
    [true, "the boolean true"],
    [undefined, "the undefined undefined"],
    [NaN, "NaN"],
    [Infinity, "Infinity"],
    [2n ** 63n, "the bigint 9223372036854775808, which exceeds int64"],
    [-(2n ** 63n) - 1n, "the bigint -9223372036854775809, which exceeds int64"],
    [new Date(0), "an object of Date"],
    [new Float64Array(1), "an object of Float64Array"],
    [Object.create(null), "an object of no class"],
    [Symbol("x"), "the symbol Symbol(x)"],
  ])("refuses %s and names its position", (value, description) => {
    const message = `parameter 2 is ${description}: must be a bigint, finite number, string, Uint8Array or null`;
    expect(() => bindable([1n, value as SqlValue])).toThrow(new TypeError(message));
  });

  test("accepts the minimum and the maximum of int64", () => {
    expect(bindable([2n ** 63n - 1n, -(2n ** 63n)])).toEqual([2n ** 63n - 1n, -(2n ** 63n)]);
  });

  test("refuses text with NUL by an error for the caller", () => {
    expect(() => bindable(["a\0b"])).toThrow(RpcError);
    expect(() => bindable(["a\0b"])).toThrow("text: must not contain a NUL character");
  });

  test("replaces lone surrogates", () => {
    const truncated = "a🎉".slice(0, 2);
    expect(bindable([truncated, "a🎉"])).toEqual(["a\uFFFD", "a🎉"]);
    expect(toSqlValue([truncated])).toBe('["a\uFFFD"]');
    expect(jsonRows([{ text: truncated }])).toEqual(['[{"text":"a\uFFFD"}]']);
  });
});
