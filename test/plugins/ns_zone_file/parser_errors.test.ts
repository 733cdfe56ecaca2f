import { describe, expect, test } from "vitest";
import { parse } from "./parser_rig.ts";

function errorsOf(text: string): string[] {
  return parse(text).errors.map(({ line, message }) => `${line}: ${message}`);
}

describe("errors are reported by line, and the other lines are read", () => {
  test.each([
    ["a A", "A must have an address, got 0 words"],
    ["a A 1 2", "A must have an address, got 2 words"],
    [" A 192.0.2.1", "the owner is missing"],
    ["a", "the type of the record is missing"],
    ["a IN", "the type of the record is missing"],
    ["a CH A 1.1.1.1", "the class must be IN"],
    ["a IN CH A 1.1.1.1", 'records of type "CH" are not supported'],
    ["a RRSIG x", 'records of type "RRSIG" are not supported'],
    ["a constructor x", 'records of type "CONSTRUCTOR" are not supported'],
    ["a TYPE1 \\# 4 01020304", "are not supported"],
    ["a A \\# 4 01020304", "A must have an address, got 3 words"],
    ["a MX x mail", '"x" is not a number'],
    ["$INCLUDE other.zone", "$INCLUDE is not supported"],
    ["$generate 1-9 a$ A 1.1.1.$", "$GENERATE is not supported"],
    ["$FOO x", 'the directive "$FOO" is not supported'],
    ["$TTL", "$TTL must have one value"],
    ["$TTL 1x", "is not a time"],
    ["$TTL 9999999999", "is more than"],
    ['a TXT "open', "a quote that does not end"],
    ["a TXT back\\", "a backslash at the end of a line"],
    ["a TXT \\999", "must be three digits"],
    ["a TXT \\1", "must be three digits"],
    ["a TXT \\255", "not UTF-8"],
    ["a.. A 1.1.1.1", "empty label"],
    ['"" A 1.1.1.1', "a name is empty"],
    ["a ) A 1.1.1.1", "a closing parenthesis"],
    ['h HTTPS 1 . key65="a b"', "must not contain white space"],
  ])("%s", (line, message) => {
    const { records, errors } = parse(`; first\n${line}\nok A 192.0.2.1\n`);
    expect(errors).toEqual([{ line: 2, message: expect.stringContaining(message) }]);
    expect(records).toMatchObject([{ line: 3, name: "ok.example.com." }]);
  });

  test("an invalid owner does not apply to the following lines, which are errors too", () => {
    expect(errorsOf("a A 1.1.1.1\nb.. A 1.1.1.2\n A 1.1.1.3")).toEqual([
      expect.stringContaining("2: "),
      expect.stringContaining("3: the owner is missing"),
    ]);
  });

  test("lines are counted across parentheses and with all kinds of line endings", () => {
    expect(errorsOf("a TXT ( a\r\n b )\r\rb FOO\nc TXT (\n\n")).toEqual([
      '4: records of type "FOO" are not supported',
      "5: an opening parenthesis without a closing one",
    ]);
  });
});
