import { expect, test } from "vitest";
import { changedTables, type SchemaObjects, schemaObjects } from "../../../../core/storage/guard/schema_map.ts";

function schemaOf(...objects: [type: string, name: string, table: string, sql: string][]): SchemaObjects {
  return schemaObjects(objects.map(([type, name, table, sql]) => ({ type, name, table, sql, rootPage: 0 })));
}

test("changedTables returns new, dropped and changed tables, including changes of indexes and triggers", () => {
  const before = schemaOf(
    ["table", "same", "same", "create table same(a)"],
    ["table", "gone", "gone", "create table gone(a)"],
    ["table", "altered", "altered", "create table altered(a)"],
    ["table", "indexed", "indexed", "create table indexed(a)"],
    ["table", "triggered", "triggered", "create table triggered(a)"],
  );
  const after = schemaOf(
    ["table", "same", "same", "create table same(a)"],
    ["table", "altered", "altered", "create table altered(a, b)"],
    ["table", "indexed", "indexed", "create table indexed(a)"],
    ["index", "i", "indexed", "create index i on indexed(a)"],
    ["table", "triggered", "triggered", "create table triggered(a)"],
    ["trigger", "same", "triggered", "create trigger same after insert on triggered begin select 1; end"],
    ["table", "added", "added", "create table added(a)"],
    ["table", "sqlite_sequence", "sqlite_sequence", "create table sqlite_sequence(name, seq)"],
  );
  expect([...changedTables(before, after)].sort()).toEqual(["added", "altered", "gone", "indexed", "triggered"]);
});

test("changedTables attributes shadow tables to their virtual table", () => {
  const after = schemaOf(
    ["table", "words", "words", "create virtual table words using fts5(a)"],
    ["table", "words_data", "words_data", "create table 'words_data'(id, block)"],
    ["table", "words_docsize", "words_docsize", "create table 'words_docsize'(id, sz)"],
  );
  expect([...changedTables(new Map(), after)]).toEqual(["words"]);
});
