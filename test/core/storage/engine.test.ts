import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isUniqueViolation } from "../../../core/storage/constraint.ts";
import type { Session, SqlValue, StorageEngine } from "../../../core/storage/engine.ts";
import { ENGINES, makeSchema, rowsOf, scopeOf, statement } from "./engines.ts";

const SCHEMA = [
  `create table things(
    id integer primary key, name text unique, size integer not null default 0 check (size >= 0), data blob, ratio real
  ) strict`,
  "create table parts(thing integer not null, name text not null, primary key (thing, name)) strict, without rowid",
  "create trigger parts_insert before insert on parts when new.name = 'cursed' begin select raise(abort, 'no curses'); end",
  "create table loose(a unique)",
];
const INSERT = statement("insert into things(id, name) values (?, ?)");
const IDS = "select id from things order by id";

describe.each(ENGINES)("on $name", ({ open }) => {
  let engine: StorageEngine;
  beforeAll(async () => {
    engine = await open();
    await makeSchema(engine, ...SCHEMA);
  });
  beforeEach(async () => {
    await engine.write(async (session) => {
      for (const table of ["things", "parts", "loose"]) await session.run(statement(`delete from ${table}`), []);
    });
  });

  function insert(id: number, name: string): Promise<void> {
    return engine.write(async (session) => void await session.run(INSERT, [id, name]));
  }

  /** Returns the error of a statement. */
  async function errorOf(sql: string, ...parameters: SqlValue[]): Promise<unknown> {
    return await engine.write(async (session) => await session.run(statement(sql), parameters)).catch((error) => error);
  }

  describe("a write", () => {
    test("resolves with the result of its work, and is then visible to every reader", async () => {
      const result = await engine.write(async (session) => {
        await session.run(INSERT, [1, "one"]);
        return await rowsOf(session, IDS);
      });
      expect(result).toEqual([[1n]]);
      expect(await rowsOf(engine.reader, IDS)).toEqual([[1n]]);
    });

    test("rolls back when its work throws, and rejects with the same error", async () => {
      const error = new TypeError("changed my mind");
      const write = engine.write(async (session) => {
        await session.run(INSERT, [1, "one"]);
        throw error;
      });
      await expect(write).rejects.toBe(error);
      expect(await rowsOf(engine.reader, IDS)).toEqual([]);
    });

    test("among concurrent ones is committed or rolled back separately", async () => {
      const ids = Array.from({ length: 32 }, (_, index) => index);
      const outcomes = await Promise.allSettled(ids.map((id) =>
        engine.write(async (session) => {
          await session.run(INSERT, [id, `n${id}`]);
          if (id % 4 === 0) throw new Error("undo");
          await session.run(statement("update things set size = size + 1 where id = ?"), [id]);
        })
      ));
      expect(outcomes.filter(({ status }) => status === "rejected").length).toBe(8);
      const committed = ids.filter((id) => id % 4 !== 0).map((id) => [BigInt(id), 1n]);
      expect(await rowsOf(engine.reader, "select id, size from things order by id")).toEqual(committed);
    });

    test("does not lose updates", async () => {
      await insert(1, "counter");
      await Promise.all(Array.from({ length: 40 }, () =>
        engine.write(async (session) => {
          const [[size]] = await rowsOf(session, "select size from things where id = 1") as [[bigint]];
          await session.run(statement("update things set size = ? where id = 1"), [size + 1n]);
        })));
      expect(await rowsOf(engine.reader, "select size from things")).toEqual([[40n]]);
    });

    test("is visible to its own statements, and to readers only after its end", async () => {
      const seen = await engine.write(async (session) => {
        await session.run(INSERT, [1, "one"]);
        return [await rowsOf(session, IDS), await rowsOf(engine.reader, IDS)];
      });
      expect(seen).toEqual([[[1n]], []]);
    });

    test("may catch the error of a statement and continue", async () => {
      await insert(1, "one");
      const caught = await engine.write(async (session) => {
        await session.run(INSERT, [2, "two"]);
        const error = await Promise.resolve().then(() => session.run(INSERT, [3, "one"])).catch((error) => error);
        await session.run(INSERT, [4, "four"]);
        return error;
      });
      expect(caught).toMatchObject({ code: "SQLITE_CONSTRAINT_UNIQUE" });
      expect(await rowsOf(engine.reader, IDS)).toEqual([[1n], [2n], [4n]]);
    });

    test("may begin with a statement that fails", async () => {
      await insert(1, "one");
      await engine.write(async (session) => {
        await Promise.resolve().then(() => session.run(INSERT, [1, "x"])).catch(() => undefined);
        await session.run(INSERT, [2, "two"]);
      });
      expect(await rowsOf(engine.reader, IDS)).toEqual([[1n], [2n]]);
    });

    test("ends its session", async () => {
      const sessions: Session[] = [];
      await engine.write(async (session) => void sessions.push(session));
      await expect((async () => await sessions[0]!.run(INSERT, [1, "late"]))()).rejects
        .toThrow("the write transaction of this session has ended");
      expect(await rowsOf(engine.reader, IDS)).toEqual([]);
    });

    test("runs concurrent statements in order", async () => {
      const results = await engine.write(async (session) =>
        await Promise.all([
          session.run(INSERT, [1, "one"]),
          session.run(statement("update things set name = 'uno' where id = 1"), []),
          session.run(statement("select name from things"), []),
        ])
      );
      expect(results.map(({ changes, rows }) => [changes, rows])).toEqual([[1n, []], [1n, []], [0n, [["uno"]]]]);
    });
  });

  describe("a deferred statement", () => {
    const defer = (session: Session, id: number, name: string) =>
      session.defer === undefined ? session.run(INSERT, [id, name]) : session.defer(INSERT, [id, name]);

    test("takes effect before the next statement and before COMMIT", async () => {
      const seen = await engine.write(async (session) => {
        await defer(session, 1, "one");
        const seen = await rowsOf(session, IDS);
        await defer(session, 2, "two");
        return seen;
      });
      expect(seen).toEqual([[1n]]);
      expect(await rowsOf(engine.reader, IDS)).toEqual([[1n], [2n]]);
    });

    test("fails the transaction if it fails", async () => {
      for (const laterIds of [[], [3]]) {
        const write = engine.write(async (session) => {
          await session.run(INSERT, [1, "one"]);
          await defer(session, 2, "one");
          for (const id of laterIds) await session.run(INSERT, [id, `n${id}`]);
        });
        await expect(write).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_UNIQUE" });
        expect(await rowsOf(engine.reader, IDS)).toEqual([]);
      }
    });

    test("may be the only statement of a write", async () => {
      await engine.write(async (session) => void await defer(session, 1, "one"));
      expect(await rowsOf(engine.reader, IDS)).toEqual([[1n]]);
    });
  });

  describe("values", () => {
    test("keep their type and their exact value", async () => {
      const integers = [0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
      const rows = await rowsOf(engine.reader, `select ${integers.map(() => "?").join()}`, ...integers);
      expect(rows).toEqual([integers]);
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      const [row] = await rowsOf(engine.reader, "select ?, ?, ?, ?, ?", bytes, "ünï 𝄞", 1.5, null, 5);
      expect(row?.[0]).toBeInstanceOf(Uint8Array);
      expect([...row![0] as Uint8Array]).toEqual([...bytes]);
      expect(row!.slice(1)).toEqual(["ünï 𝄞", 1.5, null, 5n]);
      expect(await rowsOf(engine.reader, "select typeof(?), typeof(?)", 5, 5.5)).toEqual([["integer", "real"]]);
    });

    test("of text with a NUL are refused", async () => {
      const error = { reason: "kernel.invalid_field" };
      await expect((async () => await rowsOf(engine.reader, "select ?", "a\0b"))()).rejects.toMatchObject(error);
      expect(await errorOf("insert into loose values (?)", "a\0b")).toMatchObject(error);
    });

    test("must match the number of parameters", async () => {
      const error = "the statement takes 2 parameters, got 1";
      await expect((async () => await rowsOf(engine.reader, "select ?, ?", 1))()).rejects.toThrow(error);
    });

    test("of changed rows are returned, and then not counted as changes", async () => {
      const result = await engine.write(async (session) =>
        await session.run(statement("insert into things(name) values ('a'), ('b') returning name"), [])
      );
      expect(result).toEqual({ columns: ["name"], rows: [["a"], ["b"]], changes: 0n });
    });
  });

  test.each([
    ["insert into things(id, name) values (1, 'new')", "SQLITE_CONSTRAINT_PRIMARYKEY", true],
    ["insert into parts values (1, 'wheel')", "SQLITE_CONSTRAINT_PRIMARYKEY", true],
    ["insert into things(name) values ('one')", "SQLITE_CONSTRAINT_UNIQUE", true],
    ["update things set name = 'one' where id = 2", "SQLITE_CONSTRAINT_UNIQUE", true],
    ["insert into loose(rowid, a) values (1, 'b')", "SQLITE_CONSTRAINT_ROWID", true],
    ["insert into things(size) values (null)", "SQLITE_CONSTRAINT_NOTNULL", false],
    ["insert into things(size) values (-1)", "SQLITE_CONSTRAINT_CHECK", false],
    ["insert into parts values (1, 'cursed')", "SQLITE_CONSTRAINT_TRIGGER", false],
    ["select * from nowhere", "SQLITE_ERROR", false],
    ["selec 1", "SQLITE_ERROR", false],
  ])("%s fails with %s", async (sql, code, isUnique) => {
    await insert(1, "one");
    await insert(2, "two");
    await engine.write(async (session) =>
      void await session.run(statement("insert into parts values (1, 'wheel')"), [])
    );
    await engine.write(async (session) =>
      void await session.run(statement("insert into loose(rowid, a) values (1, 'a')"), [])
    );
    const error = await errorOf(sql);
    expect(error).toMatchObject({ code });
    expect(isUniqueViolation(error)).toBe(isUnique);
  });

  test("the reader can join tables but not write", async () => {
    await insert(1, "one");
    await engine.write(async (session) =>
      void await session.run(statement("insert into parts values (1, 'wheel')"), [])
    );
    const sql = "select things.name, parts.name from things join parts on parts.thing = things.id";
    expect(await rowsOf(engine.reader, sql)).toEqual([["one", "wheel"]]);
    for (const scope of [scopeOf("p", "things"), undefined]) {
      const remove = statement("delete from things returning id", scope);
      await expect((async () => await engine.reader.run(remove, []))()).rejects.toMatchObject({
        code: "SQLITE_READONLY",
      });
    }
    expect(await rowsOf(engine.reader, IDS)).toEqual([[1n]]);
  });

  test("a scan returns rows like a read, and is aborted at its deadline", async () => {
    await insert(1, "one");
    const all = statement("select id, name from things where name like ?");
    expect(await engine.scan(all, ["%n%"], Date.now() + 10_000)).toMatchObject({ rows: [[1n, "one"]] });
    const endless = statement("with recursive r(x) as (select 1 union all select x + 1 from r) select sum(x) from r");
    await expect(engine.scan(endless, [], Date.now() + 100)).rejects.toMatchObject({ kind: "deadline" });
  });

  test("statements that were prepared before a migration follow the new schema", async () => {
    const query = statement("select * from changing", scopeOf("p", "changing"));
    await makeSchema(engine, "create table changing(a)");
    expect(await engine.reader.run(query, [])).toMatchObject({ columns: ["a"] });
    await makeSchema(engine, "drop table changing", "create table changing(a, b)");
    expect(await engine.reader.run(query, [])).toMatchObject({ columns: ["a", "b"] });
    await makeSchema(engine, "drop table changing", "create view changing as select * from things");
    await expect((async () => await engine.reader.run(query, []))()).rejects.toThrow('may not use table "things"');
    await makeSchema(engine, "drop view changing");
  });

  test("a migration that throws is rolled back", async () => {
    const before = await rowsOf(engine.reader, "select name from sqlite_master order by name");
    const failing = engine.migrate(async (session) => {
      await session.run(statement("create table fresh(a)", scopeOf("p", "fresh")), []);
      await session.run(statement("alter table loose add column b", scopeOf("p", "loose")), []);
      throw new Error("half way");
    });
    await expect(failing).rejects.toThrow("half way");
    expect(await rowsOf(engine.reader, "select name from sqlite_master order by name")).toEqual(before);
  });

  test("a closed engine refuses reads, writes and migrations", async () => {
    const other = await open();
    await other.close();
    const error = { kind: "unavailable", message: "the database is closed" };
    await expect((async () => await rowsOf(other.reader, "select 1"))()).rejects.toMatchObject(error);
    await expect(other.write(async () => {})).rejects.toMatchObject(error);
    await expect(other.migrate(async () => {})).rejects.toMatchObject(error);
  });
});
