import Database from "libsql";
import { describe, expect, test } from "vitest";
import { containing } from "../../core/storage/parameters.ts";
import { readSqlText } from "../../core/storage/guard/sql_text.ts";
import { trigramQuery } from "../../core/storage/trigram_index.ts";
import { hostMatcher } from "../../plugins/access_log_segments/search/host_pattern.ts";
import { likePattern } from "../../plugins/http_access_log/contract.ts";
import { combinedLine } from "../../plugins/http_access_log/import/combined.ts";
import { serverName } from "../../plugins/server/names.ts";
import { isLinear, successfulAttack } from "./patterns/attacks.ts";
import { BOUNDS } from "./patterns/bounds.ts";
import { expressionLiterals } from "./patterns/literals.ts";
import { patternPlaces } from "./patterns/places.ts";

/** Expressions that are only parts of one that is made of them, which a case below measures. */
const PARTS = new Map([["core/storage/guard/sql_text.ts", "readSqlText"]]);
const MAX_KEYWORD = 500;
const MAX_HOST = 253;
const database = new Database(":memory:");
const like = database.prepare("select ? like ? escape '\\' as matches");
const likeWork = (text: string, pattern: string) => () => like.get([text, pattern]);
/** Texts are short, to notice exponential growth, or longer than patterns, since the time then depends on them alone. */
const lengthOf = (length: number) => length < 50 ? length : 4000 + length;
const longest = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
/** Ignores errors, which are not what is measured. */
const attempt = (work: () => unknown) => () => {
  try {
    work();
  } catch {
    // refused
  }
};

/** The worst cases of the functions that `BOUNDS` names, as work by the length of a text. */
const WORST_CASES: Readonly<Record<string, readonly ((length: number) => () => unknown)[]>> = {
  containing: ["a", "%", "_", "\\", "ab"].map((unit) => {
    const pattern = containing(`${longest(unit, MAX_KEYWORD - 1)}b`);
    return (length) => likeWork(longest(unit, lengthOf(length)), pattern);
  }),
  likePattern: ["*a", "*", "*ab", "*%", "*_"].map((unit) => {
    const pattern = likePattern(`${longest(unit, MAX_HOST - 1)}b`);
    return (length) => likeWork(longest(unit.slice(1) || "a", lengthOf(length)), pattern);
  }),
  hostMatcher: ["*a", "*", "*ab"].flatMap((unit) => {
    const matches = hostMatcher(`${longest(unit, MAX_HOST - 1)}b`);
    return [
      (length: number) => () => matches(longest(unit.slice(1) || "a", lengthOf(length))),
      (length: number) => () => hostMatcher(`${longest(unit, length)}b`)("a".repeat(Math.min(length, MAX_HOST))),
    ];
  }),
  trigramQuery: [(length) => () => trigramQuery(Array.from({ length }, (_, at) => (at * at).toString(36)).join(""))],
  readSqlText: ["'", '"', "`", "[", "/*", "--", "a", "1.", "''", "x'"].map((unit) => (length) =>
    attempt(() => readSqlText(`select ${longest(unit, length)}`))
  ),
  combinedLine: ['"', "\\", "a", " ", "[", "1", '\\"', "a:1 "].flatMap((unit) =>
    ["", '192.0.2.1 - - [10/Mar/2025:12:00:00 +0000] "GET / HTTP/1.1" 200 1 "'].map((start) => (length: number) => () =>
      combinedLine(start + longest(unit, length))
    )
  ),
  serverName: ["~(", "~a*", "~[", "a.", "*.", "1.", ":"].map((unit) => (length) =>
    attempt(() => serverName("name", longest(unit, length)))
  ),
};

test("places where texts become patterns are listed with what bounds them", () => {
  const counts = new Map<string, number>();
  for (const { path, by } of patternPlaces()) counts.set(`${path} ${by}`, (counts.get(`${path} ${by}`) ?? 0) + 1);
  const listed = Object.fromEntries(Object.entries(BOUNDS).map(([place, { count }]) => [place, count]));
  expect(Object.fromEntries(counts), "list it in test/rules/patterns/bounds.ts").toEqual(listed);
  const measured = new Set(Object.values(BOUNDS).map(({ by }) => by).filter((by) => !/^a (constant|name)\b/.test(by)));
  expect([...measured].toSorted()).toEqual(Object.keys(WORST_CASES).toSorted());
});

test.each(Object.entries(WORST_CASES))("%s needs time in proportion to the text", (_name, cases) => {
  expect(cases.map((workOf) => isLinear(workOf))).toEqual(cases.map(() => true));
});

test("no expression needs more than linear time", () => {
  const literals = expressionLiterals();
  expect(literals.length).toBeGreaterThan(200);
  const slow = literals.filter(({ path }) => !PARTS.has(path)).flatMap(({ path, text, expression }) => {
    const attack = successfulAttack(expression);
    return attack === undefined ? [] : [{ path, text, attack }];
  });
  expect(slow).toEqual([]);
});

describe("the measurement", () => {
  test.each([
    /(a+)+$/,
    /^(a|a)*$/,
    /^(\w+\s?)*$/,
    /\d+$/,
    /^[a-z:]*:[a-z:]*$/,
    /\s*;/,
    /,.*$/,
  ])("finds an attack on %s", (expression) => {
    expect(successfulAttack(expression)).toBeDefined();
  });

  test.each([/^(ab)+$/, /^[a-z]*$/, /^\d{1,5}$/, /(?<!0)0+$/])("finds none on %s", (expression) => {
    expect(successfulAttack(expression)).toBeUndefined();
  });
});

test("a pattern longer than its limit is invalid", () => {
  expect(() => containing("a".repeat(MAX_KEYWORD + 1))).toThrow(
    expect.objectContaining({ kind: "invalid", message: "keyword: must have at most 500 characters, got 501" }),
  );
  expect(containing("%_\\")).toBe("%\\%\\_\\\\%");
  // not compiled, since that takes time
  expect(() => serverName("name", `~${"(".repeat(300)}`)).toThrow(
    expect.objectContaining({ kind: "invalid", message: "name: must have at most 253 characters, got 301" }),
  );
  const trigrams = trigramQuery(Array.from({ length: 5000 }, (_, at) => at.toString(36)).join(""))!.split(" AND ");
  expect(trigrams).toHaveLength(6);
});
