import { createClient } from "@libsql/client/web";
import { beforeAll, describe, expect, test } from "vitest";
import { withRetries } from "../../../../core/storage/remote/deadline.ts";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { type Sqld, sqldRuns } from "../../../servers/sqld.ts";
import { makeSchema, openedRemote, rowsOf, scopeOf, statement, temporarySqld } from "../engines.ts";

const INSERT = statement("insert into t(id) values (?)");

describe.skipIf(!sqldRuns())("with other writers", () => {
  let sqld: Sqld;
  let engine: RemoteEngine;
  beforeAll(async () => {
    sqld = await temporarySqld();
    engine = await openedRemote({ url: sqld.url });
    await makeSchema(engine, "create table t(id integer primary key)");
  });

  function insert(id: number, into: RemoteEngine): Promise<void> {
    return into.write(async (session) => void await session.run(INSERT, [id]));
  }

  test("all writes of many instances succeed", async () => {
    const engines = await Promise.all(Array.from({ length: 4 }, () => openedRemote({ url: sqld.url })));
    const plain = createClient({ url: sqld.url });
    const ids = Array.from({ length: 200 }, (_, index) => index);
    await Promise.all(
      ids.map((id) =>
        id % 5 === 4
          ? withRetries(Date.now() + 20_000, () => plain.execute({ sql: INSERT.sql, args: [id] }))
          : insert(id, engines[id % 5]!)
      ),
    );
    expect(await rowsOf(engine.reader, "select count(*) from t")).toEqual([[200n]]);
  });

  test("a stalled transaction is ended by the server, and its later statements fail", async () => {
    const stalling = await openedRemote({ url: sqld.url, limits: { transactionTime: 60_000, idleTime: 60_000 } });
    const hasLock = Promise.withResolvers<void>();
    const otherIsDone = Promise.withResolvers<void>();
    const stalled = stalling.write(async (session) => {
      await session.run(INSERT, [1001]);
      hasLock.resolve();
      await otherIsDone.promise;
      await session.run(INSERT, [1002]);
    });
    stalled.catch(() => undefined);
    await hasLock.promise;
    await insert(1003, engine);
    otherIsDone.resolve();
    await expect(stalled).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("the database server ended the transaction"),
    });
    expect(await rowsOf(engine.reader, "select id from t where id > 1000")).toEqual([[1003n]]);
  });

  test("a transaction without a statement for its idle time is rolled back, and releases its lock", async () => {
    const hasty = await openedRemote({ url: sqld.url, limits: { idleTime: 50 } });
    const silent = hasty.write(async (session) => {
      await session.run(INSERT, [1501]);
      await new Promise<never>(() => {});
    });
    await expect(silent).rejects.toThrow("its handler ran no statement for 50 ms");
    await insert(1502, hasty);
    expect(await rowsOf(engine.reader, "select id from t where id between 1500 and 1599")).toEqual([[1502n]]);
  });

  test("a transaction that takes too long is rolled back, and releases its lock", async () => {
    const hasty = await openedRemote({ url: sqld.url, limits: { transactionTime: 50 } });
    const stuck = hasty.write(async (session) => {
      await session.run(INSERT, [2001]);
      await new Promise<never>(() => {});
    });
    await expect(stuck).rejects.toMatchObject({ kind: "deadline" });
    const started = performance.now();
    await insert(2002, engine);
    expect(performance.now() - started).toBeLessThan(4000);
    expect(await rowsOf(engine.reader, "select id from t where id > 2000")).toEqual([[2002n]]);
  });

  test("the number of concurrent writes is limited, and a waiting one fails at its deadline", async () => {
    const narrow = await openedRemote({ url: sqld.url, limits: { writes: 1 } });
    const gate = Promise.withResolvers<void>();
    const first = narrow.write(() => gate.promise);
    await expect(narrow.write(async () => {}, Date.now() + 20)).rejects.toMatchObject({ kind: "deadline" });
    gate.resolve();
    await first;
    await narrow.write(async () => {});
  });

  test("a schema change by another instance is noticed", async () => {
    await makeSchema(engine, "create table theirs(a)", "create table mine(a)");
    const other = await openedRemote({ url: sqld.url });
    const query = statement("select * from mine", scopeOf("p", "mine"));
    expect(await other.reader.run(query, [])).toMatchObject({ rows: [] });
    await makeSchema(engine, "drop table mine", "create view mine as select * from theirs");
    const outcome = () => Promise.resolve(other.reader.run(query, [])).then(() => "rows", (error) => error.message);
    await expect.poll(outcome).toBe('plugin "p" may not use table "theirs"');
  });
});
