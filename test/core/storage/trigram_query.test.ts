import { trigramQuery } from "edgehelm/storage";
import { describe, expect, test } from "vitest";

describe("trigramQuery()", () => {
  test.each([
    ["", undefined],
    ["ab", undefined],
    ["登录", undefined],
    ["🎉🎊", undefined],
    ["abc", '"abc"'],
    ["🎉🎊x", '"🎉🎊x"'],
    ['a"b', '"a""b"'],
    ["aaaaaa", '"aaa"'],
    ["of x7", '"f x" AND " x7" AND "of "'],
  ])("of %o", (text, query) => {
    expect(trigramQuery(text)).toBe(query);
  });

  test("returns the rarest trigrams of all texts", () => {
    const query = trigramQuery("the rest is in there", "qxzk")!.split(" AND ");
    expect(query.length).toBe(6);
    expect(query.slice(0, 2)).toEqual(['"qxz"', '"xzk"']);
  });
});
