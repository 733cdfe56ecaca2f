import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Connection } from "../../../../core/host/sqlite/connection.ts";
import type { MigrationSession, Session, StorageEngine } from "../../../../core/storage/engine.ts";
import { changedTables } from "../../../../core/storage/guard/schema_map.ts";
import { REFUSED_MODULES, TableGuardError } from "../../../../core/storage/guard/table_guard.ts";
import { temporaryDatabase } from "../../../host/sqlite/fixture.ts";
import { ENGINES, makeSchema, rowsOf, scopeOf, statement } from "../engines.ts";

const SCHEMA = [
  // first, so that its page has the number of a register in which migrations keep a page
  "create table foreignTable(id integer primary key, n text unique)",
  "create table mine(id integer primary key autoincrement, n text)",
  "create table myOther(id integer primary key, n text)",
  "create index mine_n on mine(n)",
  "create virtual table myWords using fts5(n)",
  "create view myView as select * from mine",
  "create trigger myTrigger after insert on myOther begin insert into myWords(rowid, n) values (new.id, new.n); end",
  "create virtual table foreignWords using fts5(n)",
  "create view leak as select * from foreignTable",
  "create view wordLeak as select * from foreignWords",
  "create table trap(id integer primary key)",
  "create trigger trap_insert after insert on trap begin delete from foreignTable; end",
  "create table wordTrap(id integer primary key)",
  "create trigger wordTrap_insert after insert on wordTrap begin insert into foreignWords(n) values ('x'); end",
];
/** Transactions may visit these as a whole, so that only the owner of a table decides here. */
const SMALL = new Map(["mine", "myOther", "myView", "myWords_docsize"].map((table) => [table, 10]));
const SCOPE = {
  ...scopeOf(
    "p",
    "mine",
    "myOther",
    "myWords",
    "myView",
    "leak",
    "wordLeak",
    "trap",
    "wordTrap",
    "foreignWords_data",
  ),
  smallTables: SMALL,
};

const ROLL_BACK = new Error("roll back");

describe.each(ENGINES)("on $name", ({ open }) => {
  let engine: StorageEngine;
  beforeAll(async () => {
    engine = await open();
    await makeSchema(engine, ...SCHEMA);
  });

  /** Runs work in a transaction that is rolled back, so that other tests find schema and rows unchanged. */
  async function rolledBack<S extends Session>(
    transact: (work: (session: S) => Promise<unknown>) => Promise<unknown>,
    work: (session: S) => Promise<unknown>,
  ): Promise<unknown> {
    let result: unknown;
    const outcome = transact(async (session) => {
      result = await work(session);
      throw ROLL_BACK;
    });
    await outcome.catch((error) => {
      if (error !== ROLL_BACK) throw error;
    });
    return result;
  }

  function runWriting(sql: string): Promise<unknown> {
    return rolledBack((work) => engine.write(work), async (session) => await session.run(statement(sql, SCOPE), []));
  }

  function runMigrating(...texts: string[]): Promise<unknown> {
    return rolledBack((work) => engine.migrate(work), async (session) => {
      for (const sql of texts.slice(0, -1)) await session.run(statement(sql), []);
      return await session.run(statement(texts.at(-1)!, SCOPE), []);
    });
  }

  function guardError(rule: string): TableGuardError {
    return new TableGuardError(`plugin "p" ${rule}`);
  }

  describe("a statement of a plugin may", () => {
    test.each([
      "select * from mine join myOther using (id)",
      "select * from myView where n = 'foreignTable'",
      "with c as (select * from mine) select * from c, myOther",
      "-- a comment\n /* another */ select count(*) from mine",
      "select value from json_each('[1]') union all select atom from json_tree('[1]')",
      "select n from myWords where myWords match 'a' order by bm25(myWords)",
      "select id from myWords_docsize",
      "insert into mine(n) select n from myOther returning id",
      "insert into myOther(n) values ('word') on conflict do nothing",
      "update mine set n = upper(n)",
      "delete from mine",
      "insert into myWords(myWords) values ('optimize')",
      "replace into mine(id, n) values (1, 'a')",
      "values (1), (2)",
    ])("%s", async (sql) => {
      // a transaction may not search texts, of any owner
      const run = sql.includes(" match ") ? runMigrating : runWriting;
      await expect(run(sql)).resolves.toBeDefined();
    });
  });

  describe("a statement of a plugin may not access a foreign table", () => {
    test.each([
      "select * from foreignTable",
      "select n from FOREIGNTABLE where n = 'a'",
      `select 1 from mine where exists (select 1 from main."foreignTable" where n = mine.n)`,
      "select * from mine left join foreignTable using (id)",
      "with c as (select * from foreignTable) select * from c",
      "insert into mine(n) select n from foreignTable",
      "update mine set n = (select n from foreignTable)",
      "delete from foreignTable",
      "delete from foreignTable where id = 1",
      "select * from leak",
      "insert into trap values (1)",
    ])("%s", async (sql) => {
      await expect(runWriting(sql)).rejects.toEqual(guardError('may not use table "foreignTable"'));
    });

    test.each([
      "select * from foreignWords",
      "select * from 'foreignWords'",
      "select * from [FOREIGNWORDS]('x')",
      "insert into foreignWords(n) values ('x')",
      "select * from wordLeak",
      "insert into wordTrap values (1)",
      "select * from mine where id in (select rowid from foreignWords where n match 'a')",
    ])("%s", async (sql) => {
      await expect(runWriting(sql)).rejects.toEqual(guardError('may not use table "foreignWords"'));
    });

    test.each([
      ["select * from sqlite_master", "sqlite_master"],
      ["select * from sqlite_schema", "sqlite_master"],
      ["select * from sqlite_sequence", "sqlite_sequence"],
      ["update sqlite_sequence set seq = 0", "sqlite_sequence"],
      ["select * from foreignWords_content", "foreignWords_content"],
      // in its own scope, but it holds the rows of a table that is not
      ["select * from foreignWords_data", "foreignWords_data"],
      ["select * from FOREIGNWORDS_DATA", "foreignWords_data"],
      ["delete from foreignWords_data", "foreignWords_data"],
      ["select * from pragma_table_info('foreignTable')", "pragma_table_info"],
      ["select * from sqlite_dbpage", "sqlite_dbpage"],
      ["select * from dbstat", "dbstat"],
      ["select * from fsdir('.')", "fsdir"],
    ])("%s", async (sql, table) => {
      await expect(runWriting(sql)).rejects.toEqual(guardError(`may not use table "${table}"`));
    });
  });

  describe("a statement of a plugin may not", () => {
    test.each([
      ["pragma table_info(mine)", "may not run PRAGMA"],
      ["/* x */ attach 'y.db' as y", "may not run ATTACH"],
      ["begin", "may not run BEGIN"],
      ["commit", "may not run COMMIT"],
      ["release job", "may not run RELEASE"],
      ["drop table mine", "may not run DROP"],
      ["alter table mine add column x", "may not run ALTER"],
      ["create table new(a)", "may not run CREATE"],
      ["explain select * from mine", "may not run EXPLAIN"],
      ["vacuum", "may not run VACUUM"],
      ["insert or rollback into mine(id) values (1)", "may not roll back"],
      ["select readfile('x')", 'may not use the function "readfile"'],
      ["select sha3_query('select 1')", 'may not use the function "sha3_query"'],
      ["select load_extension('x')", 'may not use the function "load_extension"'],
    ])("%s", async (sql, rule) => {
      await expect(runWriting(sql)).rejects.toThrow(guardError(rule).message);
    });

    test("contain two statements", async () => {
      await expect(runWriting("select * from mine; delete from foreignTable")).rejects.toThrow(
        "more than one statement",
      );
    });
  });

  describe("a migration of a plugin", () => {
    test.each([
      "create table fresh(id integer primary key autoincrement, n text default 'x')",
      "create table if not exists copied as select * from mine",
      "create unique index myOther_n on myOther(n)",
      "create view fresh as select * from mine",
      "create trigger fresh after delete on mine begin delete from myOther; end",
      "create virtual table fresh using fts5(n, content='', tokenize='trigram')",
      "create virtual table fresh using fts5(n, content = mine, content_rowid = id)",
      "alter table mine add column x integer not null default 0",
      "alter table mine rename column n to title",
      "alter table myOther drop column n",
      "alter table myOther rename to fresh",
      "drop table mine",
      "drop table myWords",
      "drop index mine_n",
      "drop view myView",
      "drop trigger myTrigger",
      "insert into mine(n) values ('a')",
    ])("may: %s", async (sql) => {
      // a dependent trigger would prevent the change of its table
      const first = sql.includes("myOther") && sql.startsWith("alter") ? ["drop trigger myTrigger"] : [];
      await expect(runMigrating(...first, sql)).resolves.toBeDefined();
    });

    test.each([
      ["create table copied as select * from foreignTable", 'may not use table "foreignTable"'],
      ["insert into mine(n) select n from foreignTable", 'may not use table "foreignTable"'],
      ["create index theirs on foreignTable(n, id)", 'may not use table "foreignTable"'],
      ["drop table foreignTable", 'may not use table "foreignTable"'],
      ["drop table foreignWords", 'may not use table "foreignWords"'],
      ["create table copied as select * from sqlite_master", 'may not use table "sqlite_master"'],
      ["create virtual table w using fts5(n, content='foreignTable')", 'may not use table "foreigntable"'],
      ["create virtual table w using fts5(n, content='foreignWords_data')", 'may not use table "foreignwords_data"'],
      ["drop table foreignWords_data", 'may not use table "foreignWords_data"'],
      ["create virtual table w using dbstat", 'may not use the module "dbstat"'],
      ["create temp trigger t after insert on foreignTable begin select 1; end", "may not create temp"],
      ["create temporary table t(a)", "may not create temporary"],
      ["pragma user_version = 1", "may not run PRAGMA"],
      ["reindex", "may not run REINDEX"],
    ])("may not: %s", async (sql, rule) => {
      await expect(runMigrating(sql)).rejects.toThrow(guardError(rule).message);
    });

    test.each([
      ["alter table foreignTable add column x", ["foreignTable"]],
      ["create trigger t after insert on foreignTable begin select 1; end", ["foreignTable"]],
      ["create index mine_id on mine(id)", ["mine"]],
      ["drop table myWords", ["myWords"]],
    ])("changes the expected tables: %s", async (sql, tables) => {
      const changed = await rolledBack((work) => engine.migrate(work), async (session: MigrationSession) => {
        const before = await session.schema();
        await session.run(statement(sql, SCOPE), []);
        return [...changedTables(before, await session.schema())];
      });
      expect(changed).toEqual(tables);
    });
  });

  test("every module of the driver is refused or known to be harmless", async () => {
    const modules = await rowsOf(engine.reader, "select distinct name from pragma_module_list");
    const allowed = modules.map(([name]) => String(name)).filter((name) => {
      return !REFUSED_MODULES.has(name) && !name.startsWith("pragma_");
    });
    expect(allowed.sort()).toEqual(["fts5", "json_each", "json_tree"]);
  });

  test("a scan is checked like any other statement", async () => {
    const scan = engine.scan(statement("select * from foreignTable", SCOPE), [], Date.now() + 1000);
    await expect(scan).rejects.toEqual(guardError('may not use table "foreignTable"'));
  });
});

test("a temporary table is refused, even if its page has the number of an allowed table's page", () => {
  const connection = new Connection(temporaryDatabase(), []);
  onTestFinished(() => connection.close());
  connection.exec("create table mine(id integer primary key)");
  connection.exec("create temp table passing(id integer primary key)");
  expect(() => connection.run(statement("select * from passing", scopeOf("p", "mine")), []))
    .toThrow("may not use the database 1 at page 2");
});
