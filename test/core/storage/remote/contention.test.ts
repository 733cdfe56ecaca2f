import { createClient, LibsqlError } from "@libsql/client/web";
import { beforeAll, describe, expect, test } from "vitest";
import { untilAnswered } from "../../../../core/storage/remote/deadline.ts";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { type Sqld, sqldRuns } from "../../../servers/sqld.ts";
import { COUNTED, makeSchema, openedRemote, rowsOf, scopeOf, statement, temporarySqld } from "../engines.ts";

const INSERT = statement("insert into t(id) values (?)");
const IDS = "select id from t order by id";

describe("trying again", () => {
  function failing(times: number, fault: Error): { tries: () => number; attempt: () => Promise<string> } {
    let tries = 0;
    const attempt = () => ++tries > times ? Promise.resolve("done") : Promise.reject(fault);
    return { tries: () => tries, attempt };
  }
  const busy = new LibsqlError("SQLite error: database is locked", "SQLITE_BUSY");
  const soon = () => Date.now() + 5000;

  test("goes on while another writer is in the way, until the deadline", async () => {
    expect(await untilAnswered(soon(), failing(4, busy).attempt)).toBe("done");
    await expect(untilAnswered(Date.now() + 60, failing(Infinity, busy).attempt)).rejects.toBe(busy);
  });

  test("asks twice more for a lost answer, and not again for a refused statement", async () => {
    const lost = failing(Infinity, new TypeError("fetch failed"));
    await expect(untilAnswered(soon(), lost.attempt)).rejects.toThrow("fetch failed");
    expect(lost.tries()).toBe(3);
    const refused = failing(Infinity, new LibsqlError("SQLite error: no such table: t", "SQLITE_UNKNOWN"));
    await expect(untilAnswered(soon(), refused.attempt)).rejects.toThrow("no such table");
    expect(refused.tries()).toBe(1);
  });

  test("ends at the deadline, whatever is under way", async () => {
    const never = () => new Promise<never>(() => {});
    await expect(untilAnswered(Date.now() + 20, never)).rejects.toMatchObject({ kind: "deadline" });
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

  test("every write of many instances succeeds", async () => {
    const engines = await Promise.all(Array.from({ length: 4 }, () => openedRemote({ url: sqld.url })));
    const plain = createClient({ url: sqld.url });
    const ids = Array.from({ length: 200 }, (_, index) => index);
    await Promise.all(
      ids.map((id) =>
        id % 5 === 4
          ? untilAnswered(Date.now() + 20_000, () => plain.execute({ sql: INSERT.sql, args: [id] }))
          : insert(id, engines[id % 5]!)
      ),
    );
    expect(await rowsOf(engine.reader, "select count(*) from t")).toEqual([[200n]]);
  });

  test("one that stands still gives way, and what it goes on with is refused", { timeout: 30_000 }, async () => {
    const still = await openedRemote({ url: sqld.url, limits: { transactionTime: 60_000 } });
    const holds = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();
    const stalled = still.write(async (session) => {
      await session.run(INSERT, [1001]);
      holds.resolve();
      await other.promise;
      await session.run(INSERT, [1002]);
    });
    stalled.catch(() => undefined);
    await holds.promise;
    await insert(1003, engine);
    other.resolve();
    await expect(stalled).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("the database server ended the transaction"),
    });
    expect(await rowsOf(engine.reader, "select id from t where id > 1000")).toEqual([[1003n]]);
  });

  test("work that takes too long is undone, and frees the way", async () => {
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

  test("no more writes are under way at once than the limit, and a waiting one gives up at its deadline", async () => {
    const narrow = await openedRemote({ url: sqld.url, limits: { writes: 1 } });
    const gate = Promise.withResolvers<void>();
    const first = narrow.write(() => gate.promise);
    await expect(narrow.write(async () => {}, Date.now() + 20)).rejects.toMatchObject({ kind: "deadline" });
    gate.resolve();
    await first;
    await narrow.write(async () => {});
  });

  test("a schema that another instance changed is noticed", async () => {
    await makeSchema(engine, "create table theirs(a)", "create table mine(a)");
    const other = await openedRemote({ url: sqld.url });
    const query = statement("select * from mine", scopeOf("p", "mine"));
    expect(await other.reader.run(query, [])).toMatchObject({ rows: [] });
    await makeSchema(engine, "drop table mine", "create view mine as select * from theirs");
    const refusal = 'plugin "p" may not use table "theirs"';
    const answer = () => Promise.resolve(other.reader.run(query, [])).then(() => "rows", (fault) => fault.message);
    await expect.poll(answer, { timeout: 10_000 }).toBe(refusal);
  });
});

describe.skipIf(!sqldRuns())("the server's limits", () => {
  let engine: RemoteEngine;
  beforeAll(async () => {
    engine = await openedRemote({ url: (await temporarySqld()).url, limits: COUNTED });
    await makeSchema(engine, "create table t(id integer primary key, b)");
  });

  test("of a value are told before it is sent", async () => {
    const large = rowsOf(engine.reader, "select ?", new Uint8Array((1 << 20) + 1));
    await expect(large).rejects.toMatchObject({
      kind: "too_large",
      message: expect.stringContaining("a blob of 1048577"),
    });
    const whole = new Uint8Array(1 << 20).fill(7);
    await engine.write(async (session) => void await session.run(statement("insert into t values (1, ?)"), [whole]));
    const [[read]] = await rowsOf(engine.reader, "select b from t") as [[Uint8Array]];
    expect(read.length).toBe(whole.length);
  });

  test("of a text count its bytes", async () => {
    const length = (text: string) => rowsOf(engine.reader, "select length(?)", text);
    const most = 4 << 20;
    expect(await length("x".repeat(most))).toEqual([[BigInt(most)]]);
    expect(await length("\u20ac".repeat(most / 4))).toEqual([[BigInt(most / 4)]]);
    for (const text of ["x".repeat(most + 1), "\u20ac".repeat(most / 2)]) {
      await expect(length(text)).rejects.toMatchObject({
        kind: "too_large",
        message: expect.stringMatching(/a text of \d+ bytes/),
      });
    }
  });

  test("of an answer are none: it comes in pieces, from one state", async () => {
    await engine.migrate(async (session) => {
      await session.run(statement("create table large (id integer primary key, filler text)"), []);
      const series = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)";
      await session.run(statement(`${series} insert into large select i, hex(zeroblob(500)) || i from n`), []);
    });
    const sql = "select id, filler from large where id > ? order by id desc -- the last comes first";
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

  test("of one row are told in words", async () => {
    const four = "hex(zeroblob(2000000))";
    await expect(rowsOf(engine.reader, `select ${four} as a, ${four} as b, ${four} as c`)).rejects.toMatchObject({
      kind: "too_large",
      message: expect.stringContaining("one row of what the remote database would answer"),
    });
    expect(await rowsOf(engine.reader, IDS)).toEqual([[1n]]);
  });

  test("cost one round trip a read, and two a write", async () => {
    const trips = async (work: () => Promise<unknown>) => {
      await work();
      const before = engine.roundTrips;
      await work();
      return engine.roundTrips - before;
    };
    expect(await trips(() => rowsOf(engine.reader, IDS))).toBe(1);
    const mine = scopeOf("p", "t");
    expect(await trips(async () => await engine.reader.run(statement(IDS, mine), [])), "with its check").toBe(2);
    const read = statement(IDS, mine);
    expect(await trips(async () => await engine.reader.run(read, []))).toBe(1);
    const change = statement("update t set b = ? where id = 1", mine);
    expect(await trips(() => engine.write(async (session) => void await session.run(change, [1])))).toBe(2);
  });
});
