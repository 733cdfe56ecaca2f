import { expect, onTestFinished, test } from "vitest";
import { Connection } from "../../../../core/host/sqlite/connection.ts";
import { readProgram } from "../../../../core/storage/guard/query_program.ts";
import { SchemaMap } from "../../../../core/storage/guard/schema_map.ts";
import { readSqlText } from "../../../../core/storage/guard/sql_text.ts";
import { searchesText } from "../../../../core/storage/guard/table_guard.ts";
import { type WorkBound, workOf } from "../../../../core/storage/guard/work_bound.ts";
import { temporaryDatabase } from "../../../host/sqlite/fixture.ts";

const SCHEMA = [
  "create table t(id integer primary key autoincrement, user integer, name text unique, n integer)",
  "create index t_user on t(user, id)",
  "create table log(id integer primary key, t integer)",
  "create table copies(n integer)",
  "create table few(n integer)",
  "create table some(n integer)",
  "create index log_t on log(t) where id > 0",
  "create virtual table words using fts5(text, content='', contentless_delete=1)",
  "create trigger log_copies after insert on log begin insert into copies select n from t; end",
  "create table marks(n integer)",
  "create trigger marks_trim after insert on marks begin delete from t where id in (select id from t limit 2); end",
  "create view endless as with recursive c(v) as (values (1) union all select v + 1 from c) select v from c",
];

const BOUNDS: Readonly<Record<WorkBound, readonly string[]>> = {
  bounded: [
    "select 1",
    "select * from t where id = ?",
    "select * from t where name = ?",
    "select * from t where id in (select value from json_each(?))",
    "select * from t order by id limit ?",
    "select * from t where user = ? order by id desc limit 20",
    "select max(id) from t",
    "insert into t(user, name) values (?, ?) returning id",
    "insert into t(user) select value from json_each(?) where true on conflict do nothing",
    "update t set n = 1 where id = ?",
    "delete from t where id in (select value from json_each(?))",
    "delete from words where rowid = ?",
    "delete from words where rowid in (select value from json_each(?))",
    "delete from t where id in (select id from t where user < ? limit 20)",
    "update few set n = n + 1",
    "delete from few",
    "select count(*) from some",
    "select * from some union all select * from some",
    "insert into marks values (?)",
    "select * from few a, few b",
    "update t set n = c.i from (select id, row_number() over (order by id) as i from t " +
    "where id in (select value from json_each(?))) as c where t.id = c.id",
  ],
  keyed: [
    "select * from t where user = ?",
    "select count(*) from t where user = ?",
    "select * from t where user = ? and n = ? limit 20",
    "select * from t where user = ? order by n limit 20",
    "select * from t where user in (select value from json_each(?))",
    "delete from t where user = ?",
    "delete from t where user = ? and id > ?",
    "select * from few, t where t.user = few.n",
    "select * from t where user = abs(?)",
    "update t set n = 1 where user in (?, ?) and id between ? and ?",
  ],
  table: [
    "select * from t",
    "select count(*) from t",
    "select * from t where n = ?",
    "select * from t where n = ? limit 1",
    "select * from t order by n limit 1",
    "select * from t where id > ?",
    "delete from t where user < ?",
    "delete from t where user > ? and user < ?",
    "delete from t where name >= ?",
    "select * from t where user = 1 and id > ?",
    "select * from few, some",
    "select * from few, t",
    "select * from t a, t b where a.id = ?",
    "insert into copies select n from t order by n",
    "select * from words where words match ?",
    "select rowid from words",
    "select * from log join t on t.n = log.t where log.id = ?",
    "select * from t union all select * from t where id = ?",
    "insert into log values (?, ?)",
    "delete from t",
    "update t set n = n + 1",
  ],
  endless: [
    "with recursive c(v) as (values (1) union all select v + 1 from c) select sum(v) from c",
    "with c(v) as (values (1) union select v + 1 from c order by 1) select v from c limit 1",
    "select v from endless limit 1",
    "insert into copies with c(v) as (values (1) union all select v + 1 from c) select v from c",
    "select * from t where id = ? and n in (with c(v) as (values (1) union all select v + 1 from c) select v from c)",
  ],
};

test.each(Object.entries(BOUNDS))("these statements are %s", (bound, statements) => {
  const connection = new Connection(temporaryDatabase(), []);
  onTestFinished(() => connection.close());
  for (const sql of SCHEMA) connection.exec(sql);
  const schema = new SchemaMap(connection.schema());
  const found = statements.map((sql) => {
    const { bound: foundBound } = workOf(readProgram(connection.query(`explain ${sql}`)), {
      tableAt: (rootPage) => schema.tableAt(rootPage),
      searchesText: searchesText(readSqlText(sql), schema),
      smallTables: new Map([["few", 100], ["some", 10_000]]),
    });
    return `${foundBound}: ${sql}`;
  });
  expect(found).toEqual(statements.map((sql) => `${bound}: ${sql}`));
});
