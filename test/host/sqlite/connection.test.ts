import { expect, test } from "vitest";
import { Connection } from "../../../core/host/sqlite/connection.ts";
import { LONG_READ_LIMITS, LongReads } from "../../../core/host/sqlite/reads/long_reads.ts";
import { SnapshotReader } from "../../../core/host/sqlite/snapshot_reader.ts";
import type { Session, SqlResult } from "../../../core/storage/engine.ts";
import { rowsOf, scopeOf, statement, temporaryDatabase, temporaryEngine } from "./fixture.ts";

const SCHEMA = ["create table t(id integer primary key, n text unique, r real, b blob)"];

test("values of every type are read as they were written", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const bytes = new Uint8Array([0, 1, 255]).subarray(1);
  await engine.write(async (session) => {
    await session.run(statement("insert into t values (?, ?, ?, ?)"), [2n ** 63n - 1n, "é", 1.5, bytes]);
    await session.run(statement("insert into t values (?, ?, ?, ?)"), [7, null, 2, new Uint8Array()]);
  });
  expect(await rowsOf(engine.reader, "select id, n, r, hex(b) from t order by id")).toEqual([
    [7n, null, 2, ""],
    [2n ** 63n - 1n, "é", 1.5, "01FF"],
  ]);
  const [row] = await rowsOf(engine.reader, "select b from t where n = ?", "é");
  expect(row?.[0]).toBeInstanceOf(Uint8Array);
  expect(new Uint8Array(row?.[0] as Uint8Array)).toEqual(new Uint8Array([1, 255]));
});

test("a result has columns, rows and the number of changes", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const insert = statement("insert into t(n) values (?), (?)");
  expect(await engine.write(async (session) => session.run(insert, ["a", "b"]))).toEqual({
    columns: [],
    rows: [],
    changes: 2n,
    lastId: 2n,
  });
  const returning = statement("insert into t(n) values (?) returning id, n as name");
  expect(await engine.write(async (session) => session.run(returning, ["c"]))).toEqual({
    columns: ["id", "name"],
    rows: [[3n, "c"]],
    changes: 0n,
  });
  expect(engine.reader.run(statement("select id from t where id = ?"), [9])).toEqual({
    columns: ["id"],
    rows: [],
    changes: 0n,
  });
});

test("every query returns all rows, whichever driver call runs it", async () => {
  const engine = await temporaryEngine(["create table n(a integer primary key, b)", "create index nb on n(b)"]);
  const fill = "with recursive c(v) as (values (1) union all select v + 1 from c where v < 250)";
  await engine.write(async (session) => session.run(statement(`insert into n ${fill} select v, v % 10 from c`), []));
  const counts = {
    "select a from n": 250,
    "select a from n where a = 5": 1,
    "select a from n where a in (5, 6)": 2,
    "select a from n where b = 3": 25,
    "select a from n where a = 1 or b = 2": 26,
    "select a from n where a = 1 union all select a from n where a = 2": 2,
    "select max(a), count(*) from n": 1,
    "values (1), (2), (3)": 3,
    "select b, count(*) from n group by b": 10,
    "select x.a from n x join n y on y.a = x.b where x.a < 5": 4,
    "with recursive c(v) as (values (1) union all select v + 1 from c where v < 7) select v from c": 7,
    "select value from json_each('[1,2,3]')": 3,
    "select a from n where a = (select max(a) from n)": 1,
    "select 1": 1,
    "select a from n order by b desc, a limit 3 offset 2": 3,
  };
  for (const [sql, count] of Object.entries(counts)) {
    expect(await rowsOf(engine.reader, sql), sql).toHaveLength(count);
  }
});

test("a wrong number of parameters is refused instead of padded with nulls", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const query = statement("select id from t where n = ? and r = ?");
  expect(() => engine.reader.run(query, ["a"])).toThrow("the statement takes 2 parameters, got 1: select id from t");
  expect(() => engine.reader.run(query, ["a", 1, 2])).toThrow("the statement takes 2 parameters, got 3");
});

test("a reader refuses to write and sees only committed data", async () => {
  const engine = await temporaryEngine(SCHEMA);
  expect(() => engine.reader.run(statement("insert into t(n) values ('x')"), [])).toThrow("readonly");
  await engine.write(async (session) => {
    await session.run(statement("insert into t(n) values ('x')"), []);
    expect(await rowsOf(engine.reader, "select count(*) from t")).toEqual([[0n]]);
  });
  expect(await rowsOf(engine.reader, "select count(*) from t")).toEqual([[1n]]);
});

test("committed data is visible immediately, even if the same turn has read before", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const newest = statement("select coalesce(max(id), 0) from t");
  const read = () => (engine.reader.run(newest, []) as SqlResult).rows[0]![0];
  const seen: unknown[] = [];
  const insert = async (session: Session) => {
    seen.push(read());
    await session.run(statement("insert into t(n) values (null)"), []);
    seen.push(read());
  };
  // These callbacks run in the turn of the commit.
  await engine.write(insert).then(() => seen.push(read()));
  await engine.write(insert).then(() => seen.push(read()));
  expect(seen).toEqual([0n, 0n, 1n, 1n, 1n, 2n]);
});

test("a read transaction ends with its turn of the event loop", async () => {
  const path = temporaryDatabase();
  const [reading, other] = [new Connection(path, ["journal_mode = wal"]), new Connection(path, [], 0)];
  other.exec("create table t(a)");
  const reader = new SnapshotReader(reading, new LongReads(path, LONG_READ_LIMITS));
  reader.run(statement("select a from t where rowid = 1"), []);
  expect(reading.inTransaction).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(reading.inTransaction).toBe(false);
  expect(other.query("pragma wal_checkpoint(truncate)")).toEqual([[0, 0, 0]]);
  for (const connection of [reading, other]) connection.close();
});

test("the table guard detects a schema change of another connection immediately", () => {
  const path = temporaryDatabase();
  const [first, second] = [new Connection(path, ["journal_mode = wal"]), new Connection(path, [])];
  first.exec("create table a(x)");
  expect(second.run(statement("select x from a", scopeOf("p", "a")), []).rows).toEqual([]);
  first.exec("drop table a; create table b(y); create table a(x)");
  expect(second.run(statement("select x from a ", scopeOf("p", "a")), []).rows).toEqual([]);
  expect(() => second.run(statement("select y from b", scopeOf("p", "a")), [])).toThrow(
    'plugin "p" may not use table "b"',
  );
  first.close();
  second.close();
});

test("a closed engine refuses statements", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const query = statement("select id from t");
  await engine.reader.run(query, []);
  await engine.close();
  expect(() => engine.reader.run(query, [])).toThrow("the database is closed");
  await expect(engine.write(async () => {})).rejects.toThrow("the database is closed");
  await expect(engine.scan(query, [], Date.now() + 1000)).rejects.toThrow("the database is closed");
});
