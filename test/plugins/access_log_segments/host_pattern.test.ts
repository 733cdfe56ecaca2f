import { describe, expect, test } from "vitest";
import { hostMatcher } from "../../../plugins/access_log_segments/search/host_pattern.ts";
import { Random } from "../../harness/random.ts";

describe("hostMatcher", () => {
  test.each([
    ["*", "", true],
    ["*.x.com", "a.X.com", true],
    ["*.x.com", "x.com", false],
    ["www.*", "WWW.x.com", true],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["a*b*a", "aba", true],
    ["a*b*ba", "aba", false],
    ["**x**", "axb", true],
    ["x.com", "X.com", true],
    ["x.com", "x.com.", false],
    ["a.c*", "abc", false],
  ])("%s against %s: %s", (pattern, host, expected) => {
    expect(hostMatcher(pattern)(host)).toBe(expected);
  });

  test("agrees with an expression on random hosts", () => {
    const random = new Random(3);
    const text = (letters: readonly string[], max: number) =>
      Array.from({ length: random.below(max + 1) }, () => random.oneOf(letters)).join("");
    for (let round = 0; round < 20_000; round++) {
      const [pattern, host] = [text(["a", "b", ".", "*"], 6), text(["a", "b", "."], 8)];
      const expression = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
      expect([pattern, host, hostMatcher(pattern)(host)]).toEqual([pattern, host, expression.test(host)]);
    }
  });

  test("does not try all ways in which the parts of a hostile pattern fit", () => {
    expect(hostMatcher(`${"*a".repeat(126)}b`)("a".repeat(253))).toBe(false);
    expect(hostMatcher(`${"*a".repeat(126)}*b`)("a".repeat(1_000_000))).toBe(false);
  });
});
