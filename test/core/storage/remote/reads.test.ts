import { beforeAll, describe, expect, test } from "vitest";
import type { ReadSession, SqlStatement } from "../../../../core/storage/engine.ts";
import { ReadPrefetcher } from "../../../../core/storage/remote/read_prefetcher.ts";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { sqldRuns } from "../../../servers/sqld.ts";
import { COUNTED, makeSchema, openedRemote, scopeOf, statement, temporarySqld } from "../engines.ts";

describe("ReadPrefetcher", () => {
  const [first, second, third] = ["a", "b", "c"].map((sql) => statement(sql)) as [
    SqlStatement,
    SqlStatement,
    SqlStatement,
  ];

  test("predicts the requests that followed the same requests", () => {
    const prefetcher = new ReadPrefetcher();
    const followed = [prefetcher.request(second, [1n])];
    prefetcher.learn([prefetcher.request(first, [1n])], followed);
    prefetcher.learn([prefetcher.request(first, [2n])], []);
    expect(prefetcher.after([prefetcher.request(first, [1n])])).toEqual(followed);
    expect(prefetcher.after([prefetcher.request(first, [2n])])).toEqual([]);
    expect(prefetcher.after([prefetcher.request(third, [1n])])).toEqual([]);
  });

  test("predicts for new values the requests that followed twice in a row", () => {
    const prefetcher = new ReadPrefetcher();
    const requests = (id: bigint) => [prefetcher.request(first, [id])];
    const after = (id: bigint) => prefetcher.after(requests(id)).map(({ parameters }) => parameters[0]);
    prefetcher.learn(requests(1n), [prefetcher.request(second, [7n])]);
    expect(after(9n)).toEqual([]);
    prefetcher.learn(requests(2n), [prefetcher.request(second, [7n])]);
    expect(after(9n)).toEqual([7n]);
    prefetcher.learn(requests(3n), [prefetcher.request(second, [8n])]);
    expect(after(9n)).toEqual([]);
    expect(after(2n)).toEqual([7n]);
  });

  test("distinguishes requests by statement and by each value", () => {
    const prefetcher = new ReadPrefetcher();
    const values = [["1 2"], ["1", "2"], ["1"], [1n, "2"], [null], ["null"], [new Uint8Array([1, 2])], [""], []];
    const keys = values.map((parameters) => prefetcher.request(first, parameters).key);
    keys.push(prefetcher.request(second, []).key, prefetcher.request(statement("a"), []).key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("forgets the least recently used requests", () => {
    const prefetcher = new ReadPrefetcher();
    const requests = (id: number) => [prefetcher.request(first, [BigInt(id)])];
    for (let id = 0; id <= 4096; id++) prefetcher.learn(requests(id), [prefetcher.request(second, [BigInt(id)])]);
    expect(prefetcher.after(requests(0))).toEqual([]);
    expect(prefetcher.after(requests(1))).toHaveLength(1);
  });
});

describe.skipIf(!sqldRuns())("the reads of a call", () => {
  const scope = scopeOf("test", "items");
  const byId = statement("select id, next from items where id = ?", scope);
  const count = statement("select count(*) from items", scope);
  let engine: RemoteEngine;
  beforeAll(async () => {
    engine = await openedRemote({ url: (await temporarySqld()).url, limits: COUNTED });
    await makeSchema(engine, "create table items (id integer primary key, next integer, text text)");
    await engine.write(async (session) => {
      await session.run(statement("insert into items values (1, 2, ''), (2, 3, ''), (3, 1, '')", scope), []);
    });
    for (const checked of [byId, count]) await engine.reader.run(checked, checked === byId ? [1n] : []);
  });

  const next = async (session: ReadSession, id: bigint) => (await session.run(byId, [id])).rows[0]?.[1] as bigint;

  /** Runs the reads of one call. Returns their result and the number of round trips. */
  async function call<Result>(reads: (session: ReadSession) => Promise<Result>) {
    const before = engine.roundTrips;
    const session = engine.beginReads();
    const result = await reads(session);
    session.end();
    return { result, trips: engine.roundTrips - before };
  }

  test("of one turn share a round trip", async () => {
    const { result, trips } = await call((session) => Promise.all([1n, 2n, 3n].map((id) => next(session, id))));
    expect(result).toEqual([2n, 3n, 1n]);
    expect(trips).toBe(1);
  });

  test("that depend on each other take one round trip from the second call on", async () => {
    const walk = async (session: ReadSession) => await next(session, await next(session, await next(session, 1n)));
    expect(await call(walk)).toEqual({ result: 1n, trips: 3 });
    expect(await call(walk)).toEqual({ result: 1n, trips: 1 });
  });

  test("return current data even if a prediction was wrong", async () => {
    const two = async (session: ReadSession) => await next(session, await next(session, 3n));
    await call(two);
    await engine.write(async (session) => {
      await session.run(statement("update items set next = 2 where id = 3", scope), []);
    });
    expect(await call(two)).toEqual({ result: 3n, trips: 2 });
    await engine.write(async (session) => {
      await session.run(statement("update items set next = 7 where id = 2", scope), []);
    });
    expect(await call(two)).toEqual({ result: 7n, trips: 1 });
  });

  test("see one state of the database if they share a round trip", async () => {
    const insert = statement("insert into items values (null, 0, '')", scope);
    const writes = Array.from(
      { length: 20 },
      () => engine.write(async (session) => void await session.run(insert, [])),
    );
    const counts = await Promise.all(
      Array.from(
        { length: 20 },
        () => call((session) => Promise.all([session.run(count, []), next(session, 1n), session.run(count, [])])),
      ),
    );
    await Promise.all(writes);
    for (const { result: [before, , after] } of counts) expect(before.rows).toEqual(after.rows);
  });

  test("are repeated if the same request is repeated", async () => {
    const twice = async (session: ReadSession, between: () => Promise<void>) => {
      const before = (await session.run(count, [])).rows[0]![0] as bigint;
      await between();
      return (await session.run(count, [])).rows[0]![0] as bigint - before;
    };
    const insert = () =>
      engine.write(async (session) => {
        await session.run(statement("insert into items values (null, 0, '')", scope), []);
      });
    const nothing = () => Promise.resolve();
    await call((session) => next(session, 2n).then(() => twice(session, nothing)));
    const { result } = await call((session) => next(session, 2n).then(() => twice(session, insert)));
    // the first of the two was prefetched, the second is sent separately
    expect(result).toBe(1n);
  });

  test("fail separately", async () => {
    const { result } = await call((session) =>
      Promise.allSettled([
        next(session, 1n),
        session.run(statement("select * from missing", scope), []),
        session.run(statement("select json(text || '{') from items", scope), []),
        session.run(statement("delete from items", scope), []),
        session.run(byId, []),
      ])
    );
    expect(result.map(({ status }) => status)).toEqual(["fulfilled", ...Array(4).fill("rejected")]);
    expect(result.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toMatchObject([
      false,
      "SQLITE_ERROR",
      "SQLITE_ERROR",
      "SQLITE_READONLY",
      undefined,
    ]);
  });

  test("that are too large for one response are sent separately", async () => {
    const text = statement("select hex(zeroblob(2000000)), ?", scope);
    const lengths = ({ rows }: { rows: readonly (readonly unknown[])[] }) => String(rows[0]![0]).length;
    const { result, trips } = await call((session) =>
      Promise.all([1n, 2n, 3n].map(async (value) => lengths(await session.run(text, [value]))))
    );
    expect(result).toEqual([4_000_000, 4_000_000, 4_000_000]);
    expect(trips).toBeGreaterThanOrEqual(4);
  });
});
