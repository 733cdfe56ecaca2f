import { expect, test } from "vitest";
import { Connection } from "../../../core/host/sqlite/connection.ts";
import { MAINTENANCE, scopeOf, statement, temporaryDatabase } from "./fixture.ts";

const SCOPE = scopeOf("owner", "a", "b", "c");

/** Runs one statement with the schema cached, as migrations do. */
function run(connection: Connection, sql: string, scope = SCOPE) {
  return connection.run(statement(sql, scope), []);
}

function open(path = temporaryDatabase()) {
  const connection = new Connection(path, []);
  connection.mode = "migration";
  return connection;
}

/** Returns the tables that the connection knows by the root pages of its schema. */
function tables(connection: Connection): string[] {
  return connection.schema().map(({ name }) => name).sort();
}

test("objects that a transaction creates are known at once, with those of before", () => {
  const connection = open();
  run(connection, "create table a(x)");
  connection.exec("begin immediate");
  run(connection, "create table b(x)");
  run(connection, "create index bx on b(x)");
  expect(tables(connection)).toEqual(["a", "b", "bx"]);
  run(connection, "create table c(x)");
  run(connection, "insert into c values (1)");
  expect(() => run(connection, "insert into b values (1)", scopeOf("other", "a", "c"))).toThrow(
    'may not use table "b"',
  );
  connection.exec("commit");
  expect(tables(connection)).toEqual(["a", "b", "bx", "c"]);
  connection.close();
});

test("objects of a transaction that was rolled back are forgotten, whatever takes their place", () => {
  const connection = open();
  run(connection, "create table a(x)");
  for (const end of ["rollback to step; release step; commit", "rollback"]) {
    connection.exec("begin immediate; savepoint step");
    run(connection, "create table b(x)", MAINTENANCE);
    expect(tables(connection)).toEqual(["a", "b"]);
    connection.exec(end);
    connection.exec("begin immediate");
    run(connection, "create table c(x)", MAINTENANCE);
    expect(tables(connection)).toEqual(["a", "c"]);
    expect(() => run(connection, "insert into c values (1)", scopeOf("other", "b"))).toThrow('may not use table "c"');
    connection.exec("rollback");
  }
  connection.close();
});

test("a change of another connection after a CREATE is seen, even if the version of the schema is as expected", () => {
  const path = temporaryDatabase();
  const [connection, other] = [open(path), open(path)];
  run(connection, "create table a(x)");
  expect(tables(connection)).toEqual(["a"]);
  connection.exec("begin immediate");
  run(connection, "create table b(x)");
  connection.exec("commit");
  run(other, "alter table a rename to c");
  expect(tables(connection)).toEqual(["b", "c"]);
  run(other, "alter table b rename to a");
  expect(tables(connection)).toEqual(["a", "c"]);
  run(other, "alter table a rename to b");
  // creates nothing, and leaves the version as it is
  connection.exec("begin immediate");
  run(connection, "create table if not exists b(x)");
  connection.exec("commit");
  run(other, "alter table c rename to a");
  expect(tables(connection)).toEqual(["a", "b"]);
  connection.close();
  other.close();
});

test.each([
  ["alter table a rename to c", ["b", "c"]],
  ["drop table a", ["b"]],
])("after %s in the transaction, all objects are read again", (sql, expected) => {
  const connection = open();
  run(connection, "create table a(x)");
  connection.exec("begin immediate");
  run(connection, "create table b(x)");
  run(connection, sql);
  expect(tables(connection)).toEqual(expected);
  connection.exec("commit");
  connection.close();
});

test("a table for full text search is known with its shadow tables", () => {
  const connection = open();
  connection.exec("begin immediate");
  run(connection, "create table a(x)");
  expect(tables(connection)).toEqual(["a"]);
  run(connection, "create virtual table b using fts5(x)");
  expect(tables(connection)).toEqual(["a", "b", "b_config", "b_content", "b_data", "b_docsize", "b_idx"]);
  expect(() => run(connection, "select * from b", scopeOf("other", "a"))).toThrow('may not use table "b"');
  connection.exec("commit");
  connection.close();
});
