import { createClient, LibsqlError } from "@libsql/client/web";
import { beforeAll, describe, expect, test } from "vitest";
import { withRetries } from "../../../../core/storage/remote/deadline.ts";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { type Sqld, sqldRuns } from "../../../servers/sqld.ts";
import { COUNTED, makeSchema, openedRemote, rowsOf, scopeOf, statement, temporarySqld } from "../engines.ts";

const INSERT = statement("insert into t(id) values (?)");
const IDS = "select id from t order by id";

describe("withRetries", () => {
  function failing(times: number, error: Error): { attempts: () => number; attempt: () => Promise<string> } {
    let attempts = 0;
    const attempt = () => ++attempts > times ? Promise.resolve("done") : Promise.reject(error);
    return { attempts: () => attempts, attempt };
  }
  const busy = new LibsqlError("SQLite error: database is locked", "SQLITE_BUSY");
  const soon = () => Date.now() + 5000;

  test("retries conflicts with other writers until the deadline", async () => {
    expect(await withRetries(soon(), failing(4, busy).attempt)).toBe("done");
    await expect(withRetries(Date.now() + 60, failing(Infinity, busy).attempt)).rejects.toBe(busy);
  });

  test("retries twice after a lost response, and not after the error of a statement", async () => {
    const lost = failing(Infinity, new TypeError("fetch failed"));
    await expect(withRetries(soon(), lost.attempt)).rejects.toThrow("fetch failed");
    expect(lost.attempts()).toBe(3);
    const refused = failing(Infinity, new LibsqlError("SQLite error: no such table: t", "SQLITE_UNKNOWN"));
    await expect(withRetries(soon(), refused.attempt)).rejects.toThrow("no such table");
    expect(refused.attempts()).toBe(1);
  });

  test("ends at the deadline even if an attempt hangs", async () => {
    const never = () => new Promise<never>(() => {});
    await expect(withRetries(Date.now() + 20, never)).rejects.toMatchObject({ kind: "deadline" });
  });
});

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
    const stalling = await openedRemote({ url: sqld.url, limits: { transactionTime: 60_000 } });
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

describe.skipIf(!sqldRuns())("the limits of the server", () => {
  let engine: RemoteEngine;
  beforeAll(async () => {
    engine = await openedRemote({ url: (await temporarySqld()).url, limits: COUNTED });
    await makeSchema(engine, "create table t(id integer primary key, b)");
  });

  test("for values are enforced before sending", async () => {
    const large = rowsOf(engine.reader, "select ?", new Uint8Array((1 << 20) + 1));
    await expect(large).rejects.toMatchObject({
      kind: "too_large",
      message: expect.stringContaining("a blob of 1048577"),
    });
    const maxBlob = new Uint8Array(1 << 20).fill(7);
    await engine.write(async (session) => void await session.run(statement("insert into t values (1, ?)"), [maxBlob]));
    const [[read]] = await rowsOf(engine.reader, "select b from t") as [[Uint8Array]];
    expect(read.length).toBe(maxBlob.length);
  });

  test("for texts count bytes", async () => {
    const length = (text: string) => rowsOf(engine.reader, "select length(?)", text);
    const maxLength = 4 << 20;
    expect(await length("x".repeat(maxLength))).toEqual([[BigInt(maxLength)]]);
    expect(await length("\u20ac".repeat(maxLength / 4))).toEqual([[BigInt(maxLength / 4)]]);
    for (const text of ["x".repeat(maxLength + 1), "\u20ac".repeat(maxLength / 2)]) {
      await expect(length(text)).rejects.toMatchObject({
        kind: "too_large",
        message: expect.stringMatching(/a text of \d+ bytes/),
      });
    }
  });

  test("for responses are avoided by reading in chunks, from one state of the database", async () => {
    await engine.migrate(async (session) => {
      await session.run(statement("create table large (id integer primary key, filler text)"), []);
      const series = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)";
      await session.run(statement(`${series} insert into large select i, hex(zeroblob(500)) || i from n`), []);
    });
    const sql = "select id, filler from large where id > ? order by id desc -- newest first";
    let isOver = false;
    const changing = (async () => {
      while (!isOver) await engine.write((session) => rowsOf(session, "update large set filler = filler || 'x'"));
    })();
    const rows = await rowsOf(engine.reader, sql, 10n);
    isOver = true;
    await changing;
    expect(rows.map(([id]) => id)).toEqual(Array.from({ length: 29_990 }, (_, at) => BigInt(30_000 - at)));
    const changes = new Set(rows.map(([id, filler]) => String(filler).length - 1000 - String(id).length));
    expect(changes.size).toBe(1);
  });

  test("for one row are reported", async () => {
    const fourMegabytes = "hex(zeroblob(2000000))";
    const columns = ["a", "b", "c"].map((name) => `${fourMegabytes} as ${name}`);
    await expect(rowsOf(engine.reader, `select ${columns.join()}`)).rejects.toMatchObject({
      kind: "too_large",
      message: expect.stringContaining("one row of a result of the remote database"),
    });
    expect(await rowsOf(engine.reader, IDS)).toEqual([[1n]]);
  });

  test("allow a read in one round trip, and a write in two", async () => {
    const trips = async (work: () => Promise<unknown>) => {
      await work();
      const before = engine.roundTrips;
      await work();
      return engine.roundTrips - before;
    };
    expect(await trips(() => rowsOf(engine.reader, IDS))).toBe(1);
    const scope = scopeOf("p", "t");
    expect(await trips(async () => await engine.reader.run(statement(IDS, scope), [])), "with its check").toBe(2);
    const read = statement(IDS, scope);
    expect(await trips(async () => await engine.reader.run(read, []))).toBe(1);
    const change = statement("update t set b = ? where id = 1", scope);
    expect(await trips(() => engine.write(async (session) => void await session.run(change, [1])))).toBe(2);
  });
});
