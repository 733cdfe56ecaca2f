import { beforeAll, describe, expect, test } from "vitest";
import type { ReadSession, SqlStatement } from "../../../../core/storage/engine.ts";
import { ReadPrefetcher } from "../../../../core/storage/remote/read_prefetcher.ts";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { sqldRuns } from "../../../servers/sqld.ts";
import { COUNTED, makeSchema, openedRemote, scopeOf, statement, temporarySqld } from "../engines.ts";

describe("foresight", () => {
  const [first, second, third] = ["a", "b", "c"].map((sql) => statement(sql)) as [
    SqlStatement,
    SqlStatement,
    SqlStatement,
  ];

  test("expects what followed the same question", () => {
    const foresight = new ReadPrefetcher();
    const followed = [foresight.question(second, [1n])];
    foresight.learn([foresight.question(first, [1n])], followed);
    foresight.learn([foresight.question(first, [2n])], []);
    expect(foresight.after([foresight.question(first, [1n])])).toEqual(followed);
    expect(foresight.after([foresight.question(first, [2n])])).toEqual([]);
    expect(foresight.after([foresight.question(third, [1n])])).toEqual([]);
  });

  test("expects of new values what the last two calls had in common", () => {
    const foresight = new ReadPrefetcher();
    const asked = (id: bigint) => [foresight.question(first, [id])];
    const after = (id: bigint) => foresight.after(asked(id)).map(({ parameters }) => parameters[0]);
    foresight.learn(asked(1n), [foresight.question(second, [7n])]);
    expect(after(9n)).toEqual([]);
    foresight.learn(asked(2n), [foresight.question(second, [7n])]);
    expect(after(9n)).toEqual([7n]);
    foresight.learn(asked(3n), [foresight.question(second, [8n])]);
    expect(after(9n)).toEqual([]);
    expect(after(2n)).toEqual([7n]);
  });

  test("tells questions apart by statement and by each value", () => {
    const foresight = new ReadPrefetcher();
    const values = [["1 2"], ["1", "2"], ["1"], [1n, "2"], [null], ["null"], [new Uint8Array([1, 2])], [""], []];
    const keys = values.map((parameters) => foresight.question(first, parameters).key);
    keys.push(foresight.question(second, []).key, foresight.question(statement("a"), []).key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("forgets what came least recently", () => {
    const foresight = new ReadPrefetcher();
    const asked = (id: number) => [foresight.question(first, [BigInt(id)])];
    for (let id = 0; id <= 4096; id++) foresight.learn(asked(id), [foresight.question(second, [BigInt(id)])]);
    expect(foresight.after(asked(0))).toEqual([]);
    expect(foresight.after(asked(1))).toHaveLength(1);
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
    for (const known of [byId, count]) await engine.reader.run(known, known === byId ? [1n] : []);
  });

  const next = async (session: ReadSession, id: bigint) => (await session.run(byId, [id])).rows[0]?.[1] as bigint;

  /** How many round trips the reads of one call take, and what they answer. */
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

  test("that follow each other take one round trip from the second time on", async () => {
    const walk = async (session: ReadSession) => await next(session, await next(session, await next(session, 1n)));
    expect(await call(walk)).toEqual({ result: 1n, trips: 3 });
    expect(await call(walk)).toEqual({ result: 1n, trips: 1 });
  });

  test("answer what is there now, also where a guess was wrong", async () => {
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

  test("see one state of the database where they share a round trip", async () => {
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
    for (const { result: [one, , other] } of counts) expect(one.rows).toEqual(other.rows);
  });

  test("are read again when they are asked again", async () => {
    const twice = async (session: ReadSession, between: () => Promise<void>) => {
      const one = (await session.run(count, [])).rows[0]![0] as bigint;
      await between();
      return (await session.run(count, [])).rows[0]![0] as bigint - one;
    };
    const insert = () =>
      engine.write(async (session) => {
        await session.run(statement("insert into items values (null, 0, '')", scope), []);
      });
    const nothing = () => Promise.resolve();
    await call((session) => next(session, 2n).then(() => twice(session, nothing)));
    const { result } = await call((session) => next(session, 2n).then(() => twice(session, insert)));
    // the first of the two came with the first turn, and the second is asked for itself
    expect(result).toBe(1n);
  });

  test("fail each by itself", async () => {
    const { result } = await call((session) =>
      Promise.allSettled([
        next(session, 1n),
        session.run(statement("select * from strangers", scope), []),
        session.run(statement("select json(text || '{') from items", scope), []),
        session.run(statement("delete from items", scope), []),
        session.run(byId, []),
      ])
    );
    expect(result.map(({ status }) => status)).toEqual(["fulfilled", ...Array(4).fill("rejected")]);
    expect(result.map((one) => one.status === "rejected" && one.reason.code)).toMatchObject([
      false,
      "SQLITE_ERROR",
      "SQLITE_ERROR",
      "SQLITE_READONLY",
      undefined,
    ]);
  });

  test("that are too much for one answer come in several", async () => {
    const text = statement("select hex(zeroblob(2000000)), ?", scope);
    const lengths = ({ rows }: { rows: readonly (readonly unknown[])[] }) => String(rows[0]![0]).length;
    const { result, trips } = await call((session) =>
      Promise.all([1n, 2n, 3n].map(async (value) => lengths(await session.run(text, [value]))))
    );
    expect(result).toEqual([4_000_000, 4_000_000, 4_000_000]);
    expect(trips).toBeGreaterThanOrEqual(4);
  });
});
