import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { addCounts, bucketKey, fillCounts, isLive, subsets, subtractCounts } from "./counting.ts";
import type { ListShape } from "./declaration.ts";

/** Returns the migration that makes the derived tables, indexes and triggers of a list again, and fills them. */
export function listMigration(list: ListShape): Migration {
  const statements = [
    ...drops(list),
    ...tables(list),
    ...fillLinks(list),
    ...fillCounts(list),
    ...indexes(list),
    ...triggers(list),
  ];
  return runAll(statements);
}

/** Returns a migration that runs statements in order. */
export function runAll(statements: readonly string[]): Migration {
  return {
    async up(db: Kysely<never>) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}

const TRIGGERS = ["inserted", "changed", "edited", "deleted"] as const;

/** The names do not depend on the declaration, so that what an earlier declaration made is dropped as well. */
function drops({ table, derived }: ListShape): string[] {
  return [
    ...TRIGGERS.map((name) => `drop trigger if exists "${triggerName(table, name)}"`),
    ...Object.values(derived).map((name) => `drop table if exists "${name}"`),
    ...Array.from({ length: 8 }, (_, index) => `drop index if exists "${indexName(table, index)}"`),
  ];
}

function triggerName(table: string, name: (typeof TRIGGERS)[number]): string {
  return `${table}_list_${name}`;
}

function indexName(table: string, index: number): string {
  return `${table}_list_${index}`;
}

function tables(list: ListShape): string[] {
  const { derived, search, choices, links } = list;
  const typed = bucketKey(list).map((column) =>
    `${column} ${choices.includes(column.slice(1, -1)) ? "text" : "integer"} not null`
  );
  return [
    `create table "${derived.buckets}" (${typed.join()}, n integer not null, primary key (${bucketKey(list).join()}))
      strict, without rowid`,
    ...links.length === 0 ? [] : [
      `create table "${derived.links}" (link integer not null, value integer not null, id integer not null,
        primary key (link, value, id)) strict, without rowid`,
    ],
    ...search.length === 0 ? [] : [
      `create virtual table "${derived.search}" using fts5(${search.map((column) => `"${column}"`).join()},
        content='', contentless_delete=1, detail=none, tokenize='trigram')`,
      // by default, deletions would rewrite the index repeatedly, and writers would wait for it
      `insert into "${derived.search}" ("${derived.search}", rank) values ('deletemerge', 0)`,
      `create table "${derived.searchState}" (id integer primary key, indexedId integer not null) strict`,
      `insert into "${derived.searchState}" values (1, 0)`,
      // rows up to indexedId whose texts in the index are out of date
      `create table "${derived.searchChanges}" (id integer primary key) strict`,
    ],
  ];
}

function fillLinks(list: ListShape): string[] {
  return list.links.map(({ column }, index) =>
    `insert into "${list.derived.links}" select distinct ${index}, item.value, t.id
      from "${list.table}" as t cross join json_each(t."${column}") as item
      where ${isLive(list, "t")} and t."${column}" <> '[]' and item.value <> 0 order by 2, 3`
  );
}

/** An index for each combination of scopes. Rows whose scope is 0 are never listed by it. */
function indexes(list: ListShape): string[] {
  const { table, scopes, softDeletion } = list;
  return subsets(scopes).flatMap((subset, index) => {
    if (subset.length === 0 && softDeletion === undefined) return [];
    const columns = [...subset.map((scope) => `"${scope}"`), "id"].join();
    const conditions = [isLive(list, `"${table}"`), ...subset.map((scope) => `"${scope}" <> 0`)].join(" and ");
    return [`create index "${indexName(table, index)}" on "${table}" (${columns}) where ${conditions}`];
  });
}

/** Triggers, so that no statement can forget to count a row. */
function triggers(list: ListShape): string[] {
  const { table, scopes, links, choices, days, search, softDeletion, insertsInBulk, derived } = list;
  const live = softDeletion === undefined ? [] : [softDeletion];
  const counted = [...scopes, ...links.map(({ column }) => column), ...choices, ...days ? [days] : [], ...live];
  const isIndexed = (row: string) => `${row}.id <= (select indexedId from "${derived.searchState}")`;
  const changed = (row: string) =>
    search.length === 0 ? [] : [
      `insert into "${derived.searchChanges}" (id) select ${row}.id where ${isIndexed(row)} on conflict do nothing`,
    ];
  const linkNew = links.map((_, index) => link(list, index));
  const appear = [addCounts(list, { row: "new", n: "1" }), ...linkNew];
  const vanish = [...subtractCounts(list, "old"), ...links.map((_, index) => unlink(list, index))];
  const hasLinks = links.map(({ column }) => `new."${column}" <> '[]'`).join(" or ");
  const trigger = (name: (typeof TRIGGERS)[number], event: string, body: readonly string[]) =>
    body.length === 0 ? [] : [`create trigger "${triggerName(table, name)}" ${event} begin ${body.join("; ")}; end`];
  return [
    ...insertsInBulk
      ? trigger("inserted", `after insert on "${table}" when ${hasLinks || "false"}`, linkNew)
      : trigger("inserted", `after insert on "${table}"`, [...appear, ...changed("new")]),
    ...counted.length === 0 ? [] : trigger("changed", afterUpdate(table, counted), [...vanish, ...appear]),
    ...trigger("edited", afterUpdate(table, [...search, ...live]), changed("old")),
    ...trigger("deleted", `after delete on "${table}"`, [...vanish, ...changed("old")]),
  ];
}

function afterUpdate(table: string, columns: readonly string[]): string {
  const values = (row: string) => columns.map((column) => `${row}."${column}"`).join();
  const names = columns.map((column) => `"${column}"`).join();
  return `after update of ${names} on "${table}" when (${values("old")}) is not (${values("new")})`;
}

function link(list: ListShape, index: number): string {
  const column = list.links[index]!.column;
  return `insert into "${list.derived.links}" select distinct ${index}, value, new.id from json_each(new."${column}")
    where ${isLive(list, "new")} and value <> 0`;
}

function unlink({ links, derived }: ListShape, index: number): string {
  return `delete from "${derived.links}" where link = ${index} and id = old.id
    and value in (select value from json_each(old."${links[index]!.column}"))`;
}
