import { once } from "node:events";
import { existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import process from "node:process";
import { describe, expect, onTestFinished, test } from "vitest";
import { type LocalEngine, openLocalEngine } from "../../../core/host/sqlite/engine.ts";
import { StartupError } from "../../../core/base/startup_error.ts";
import { rowsOf, scopeOf, startProgram, statement, temporaryDatabase, temporaryEngine } from "./fixture.ts";

async function openTestEngine(path: string): Promise<LocalEngine> {
  const engine = await openLocalEngine({ path });
  onTestFinished(() => engine.close());
  return engine;
}

describe("a local engine", () => {
  test("keeps committed data through a clean stop and a crash", async () => {
    const path = temporaryDatabase();
    const { child } = await startProgram("holder_program.ts", path);
    child.kill("SIGKILL");
    await once(child, "exit");
    const engine = await openTestEngine(path);
    expect(await rowsOf(engine.reader, "select a from t")).toEqual([["kept"]]);
    await engine.close();
    const again = await openTestEngine(path);
    expect(await rowsOf(again.reader, "select a from t")).toEqual([["kept"]]);
  });

  test("sets the pragmas of its connections", async () => {
    const engine = await temporaryEngine();
    const pragma = (name: string) => rowsOf(engine.reader, `pragma ${name}`);
    expect(await pragma("journal_mode")).toEqual([["wal"]]);
    expect([await pragma("query_only"), await pragma("wal_autocheckpoint")]).toEqual([[[1n]], [[0n]]]);
    await engine.write(async (session) => {
      expect(await rowsOf(session, "pragma synchronous")).toEqual([[2n]]);
      expect(await rowsOf(session, "pragma foreign_keys")).toEqual([[0n]]);
    });
  });

  test("removes its write-ahead log and holder file when it closes", async () => {
    const path = temporaryDatabase();
    const engine = await openTestEngine(path);
    await engine.migrate(async (session) => session.run(statement("create table t(a)"), []));
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    expect(existsSync(`${path}.holder`)).toBe(true);
    await engine.close();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    expect(existsSync(`${path}.holder`)).toBe(false);
  });
});

describe("the process lock", () => {
  test("refuses a second process, naming the holder, and ends with a crash", async () => {
    const path = temporaryDatabase();
    const { child } = await startProgram("holder_program.ts", path);
    const message = new RegExp(`the database ".*x.db" is held by process ${child.pid} on .+ since 2.+Z; stop it first`);
    await expect(openLocalEngine({ path })).rejects.toThrow(message);
    await expect(openLocalEngine({ path })).rejects.toBeInstanceOf(StartupError);
    child.kill("SIGKILL");
    await once(child, "exit");
    await (await openTestEngine(path)).close();
  });

  test("refuses a second engine in the same process, even through a link", async () => {
    const path = temporaryDatabase();
    const engine = await openTestEngine(path);
    await engine.migrate(async (session) => session.run(statement("create table t(a)"), []));
    symlinkSync(path, `${path}.link`);
    await expect(openLocalEngine({ path })).rejects.toThrow(`is held by process ${process.pid} on`);
    await expect(openLocalEngine({ path: `${path}.link` })).rejects.toThrow("is held by process");
    expect(readFileSync(`${path}.holder`, "utf8")).toContain(`process ${process.pid}`);
    await engine.close();
    await (await openTestEngine(path)).close();
  });
});

describe("migrate", () => {
  const PLUGIN = scopeOf("p", "t");

  test("rolls back a migration that throws", async () => {
    const engine = await temporaryEngine(["create table t(a)"]);
    const failing = engine.migrate(async (session) => {
      await session.run(statement("create table u(a)", scopeOf("p", "u")), []);
      await session.run(statement("alter table t add column b", PLUGIN), []);
      await session.run(statement("insert into t values (1, 2)", PLUGIN), []);
      throw new Error("half way");
    });
    await expect(failing).rejects.toThrow("half way");
    expect(await rowsOf(engine.reader, "select sql from sqlite_master")).toEqual([["CREATE TABLE t(a)"]]);
    expect(await rowsOf(engine.reader, "select * from t")).toEqual([]);
  });

  test("invalidates statements that were prepared before", async () => {
    const engine = await temporaryEngine(["create table t(a unique)"]);
    const query = statement("select * from t where a = ?", PLUGIN);
    const insert = statement("insert into t(a) values (1)", PLUGIN);
    expect(await engine.reader.run(query, [1])).toMatchObject({ columns: ["a"] });
    await engine.write(async (session) => session.run(insert, []));
    await engine.migrate(async (session) => {
      await session.run(statement("drop table t", PLUGIN), []);
      await session.run(statement("create table t(a, b default 5)", PLUGIN), []);
      await session.run(insert, []);
      await session.run(insert, []);
      expect((await session.schema()).get("t")).toMatchObject({ table: "t", sql: "CREATE TABLE t(a, b default 5)" });
    });
    expect(await engine.reader.run(query, [1])).toMatchObject({ columns: ["a", "b"], rows: [[1n, 5n], [1n, 5n]] });
  });

  test("runs alone, in order with other writes", async () => {
    const engine = await temporaryEngine(["create table t(a)"]);
    const count = statement("select count(*) from t");
    const insert = statement("insert into t(a) values (1)");
    const before = engine.writer.commits;
    const [, counted] = await Promise.all([
      engine.write(async (session) => session.run(insert, [])),
      engine.migrate(async (session) => (await session.run(count, [])).rows),
      engine.write(async (session) => session.run(insert, [])),
    ]);
    expect(counted).toEqual([[1n]]);
    expect(engine.writer.commits - before).toBe(2);
  });

  test("does not permit schema changes in later writes", async () => {
    const engine = await temporaryEngine(["create table t(a)"]);
    const drop = statement("drop table t", PLUGIN);
    const write = engine.write(async (session) => session.run(drop, []));
    await expect(write).rejects.toThrow('plugin "p" may not run DROP');
  });
});
