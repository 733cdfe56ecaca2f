import { describe, expect, test } from "vitest";
import { readSqlText } from "../../../../core/storage/guard/sql_text.ts";

describe("readSqlText", () => {
  test("finds the verb after comments", () => {
    expect(readSqlText("-- one ; two\n /* three; */ SELECT 1").verb).toBe("select");
  });

  test("counts positional parameters outside quotes and comments", () => {
    expect(readSqlText(`select ?, '?', "?", [?], \`?\`, ? -- ?`).parameterCount).toBe(2);
    expect(readSqlText("select ?2, ?1, ?2").parameterCount).toBe(2);
  });

  test("removes the quotes of names", () => {
    const { tokens } = readSqlText(`select 'It''s', "A""b", [C d], \`e\`, x'ff', 1.5e3`);
    expect(tokens.filter(({ kind }) => kind === "quoted").map(({ text }) => text)).toEqual(["it's", 'a"b', "c d", "e"]);
    expect(tokens.filter(({ kind }) => kind === "word").map(({ text }) => text)).toEqual(["select"]);
  });

  test.each([
    ["", "the SQL text contains no statement"],
    ["/* nothing", "the SQL text contains no statement"],
    ["select 1; select 2", "the SQL text contains more than one statement"],
    ["; select 1", "the SQL text contains more than one statement"],
    ["select 1\0", "the SQL text contains a NUL character"],
    ["select 'a", "the SQL text contains an unclosed '"],
    ["select :a", "parameters must be positional: use ? or ?1 instead of :name"],
    ["create trigger t after insert on a begin delete from b; end; drop table a", "more than one statement"],
  ])("refuses %j", (sql, error) => {
    expect(() => readSqlText(sql)).toThrow(error);
  });

  test("accepts a closing semicolon, and semicolons in the body of a trigger", () => {
    expect(readSqlText("select 1; -- done").verb).toBe("select");
    const body = "update a set b = case when 1 then 2 else 3 end; delete from a;";
    expect(readSqlText(`create temp trigger t after insert on a begin ${body} end;`).verb).toBe("create");
  });
});
