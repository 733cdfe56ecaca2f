import { describe, expect, test } from "vitest";
import { parseJson } from "../../../../core/protobuf/json/parse.ts";
import { errorMessage } from "./error_message.ts";

describe("parseJson", () => {
  test.each([
    ["{}", {}],
    ["[1, 2.5, -3]", [1, 2.5, -3]],
    ['"\\"[[[["', '"[[[['],
    ["9007199254740991", 9007199254740991],
    ["0.12345678901234567890", 0.12345678901234567890],
    ['{"id":"9007199254740993","text":", 9007199254740993"}', {
      id: "9007199254740993",
      text: ", 9007199254740993",
    }],
  ])("parses %s like JSON.parse", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test.each([
    ["9007199254740993"],
    ["[-9007199254740993]"],
    ['{"a":{"b": 18446744073709551616 }}'],
    ["[123456789012345678901234567890,1]"],
  ])("preserves %s exactly", (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(text.replaceAll(" ", ""));
  });

  test.each([
    ["", /^Decode request failed: not valid JSON: unexpected end of JSON input$/],
    ["{", /^Decode request failed: not valid JSON: expected property name/],
    ["{'a':1}", /^Decode request failed: not valid JSON: expected property name/],
    ["nope", /^Decode request failed: not valid JSON: unexpected token/],
    ["[1] 2", /^Decode request failed: not valid JSON: unexpected non-whitespace/],
    ['"\u0000"', /^Decode request failed: not valid JSON: bad control character/],
    ['{"a', /^Decode request failed: not valid JSON: unterminated string/],
    ['"\\', /^Decode request failed: not valid JSON: /],
    ["[9007199254740993", /^Decode request failed: not valid JSON: /],
  ])("refuses %j", (text, message) => {
    expect(errorMessage(() => parseJson(text))).toMatch(message);
  });

  test("names the invalid text in the error", () => {
    expect(errorMessage(() => parseJson("{", { path: "manifest.json" }))).toMatch(/^manifest\.json: not valid JSON: /);
  });

  test("limits the nesting depth", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(() => parseJson(nested(100))).not.toThrow();
    expect(errorMessage(() => parseJson(nested(101)))).toContain("nested deeper than 100 levels");
    expect(() => parseJson('[[1],{"a":{}}]', { maxDepth: 3 })).not.toThrow();
    expect(errorMessage(() => parseJson('[[1],{"a":{}}]', { maxDepth: 2 }))).toContain("nested deeper than 2 levels");
  });

  test("ignores brackets in strings", () => {
    expect(parseJson('["[[[[", "\\\\", "\\"[[[", 1]', { maxDepth: 1 })).toEqual(["[[[[", "\\", '"[[[', 1]);
  });

  test.each([["[", ""], ['{"a":', ""], ["[", "]"]])("refuses a million %j", (open, close) => {
    expect(errorMessage(() => parseJson(open.repeat(1e6) + close.repeat(1e6)))).toContain("nested deeper than 100");
  });

  test("treats __proto__ as an ordinary key", () => {
    const parsed = parseJson('{"__proto__":{"isOn":true},"id":9007199254740993}') as object;
    expect(Object.keys(parsed)).toEqual(["__proto__", "id"]);
    expect("isOn" in parsed).toBe(false);
  });
});

describe("duplicate keys", () => {
  test.each([
    ['{"a":1,"a":1}', "a"],
    ['{"a":1,"b":{"c":[1,{"x":"{","y":2,"\\u0078":3}]}}', "b.c[1].x"],
    ['[{"a":1},{"a":[],"b":"\\\\",":":0,"a" : 2}]', "[1].a"],
    ['{"":1,"":2}', '[""]'],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['{"id":18446744073709551616,"id":1}', "id"],
  ])("are refused in %s", (text, path) => {
    expect(errorMessage(() => parseJson(text))).toBe(`${path}: is given twice`);
    expect(errorMessage(() => parseJson(text, { path: "rulesJSON" }))).toContain("rulesJSON");
  });

  test.each([
    ['{"a":1,"A":2,"b":{"a":3},"c":[{"a":4},{"a":5}]}'],
    ['{"a":":","b":"\\":\\"","c":{}}'],
    ['[":",":",{"a":[":"]}]'],
    ['{"a":18446744073709551616,"b":18446744073709551616}'],
  ])("are not seen in %s", (text) => {
    expect(() => parseJson(text)).not.toThrow();
  });

  test("are found in a text of a million keys", () => {
    const keys = Array.from({ length: 1_000_000 }, (_, index) => `"${index}":0`);
    expect(errorMessage(() => parseJson(`{${keys.join()},"7":1}`))).toBe("7: is given twice");
  });
});
