import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { CuttingProxy } from "../../../servers/cutting_proxy.ts";
import { type Sqld, sqldRuns } from "../../../servers/sqld.ts";
import { makeSchema, openedRemote, rowsOf, statement, temporarySqld } from "../engines.ts";

const INSERT = statement("insert into t(id) values (?)");
const IDS = "select id from t order by id";
/** Matches the deferred statement that is sent with COMMIT. A stream sends the text of a statement only once. */
const COMMIT = /"update t set n/;
const COUNT = statement("update t set n = n + 1 where id = ?");
/** The time after which the server takes the lock from an idle transaction if another one waits for it. */
const LOCK_SECONDS = 5;

describe.skipIf(!sqldRuns())("with network errors", () => {
  let sqld: Sqld;
  let proxy: CuttingProxy;
  let engine: RemoteEngine;
  let direct: RemoteEngine;
  beforeAll(async () => {
    sqld = await temporarySqld();
    proxy = await CuttingProxy.start(sqld.port);
    afterAll(() => proxy[Symbol.asyncDispose]());
    direct = await openedRemote({ url: sqld.url });
    await makeSchema(direct, "create table t(id integer primary key, n integer not null default 0)");
  });
  beforeEach(async () => {
    engine = await openedRemote({ url: proxy.url });
    await direct.write(async (session) => void await session.run(statement("delete from t"), []));
  });

  function insert(id: number, into: RemoteEngine = engine): Promise<void> {
    return into.write(async (session) => {
      await session.run(INSERT, [id]);
      session.defer!(COUNT, [id]);
    });
  }

  test("a COMMIT whose response is lost has an unknown outcome, and was executed once", async () => {
    proxy.cutNext(COMMIT, "response");
    await expect(insert(1)).rejects.toMatchObject({
      kind: "unavailable",
      reason: "kernel.outcome_unknown",
      message: expect.stringContaining("outcome is unknown"),
    });
    expect(await rowsOf(direct.reader, "select id, n from t")).toEqual([[1n, 1n]]);
  });

  test("a COMMIT that does not arrive has an unknown outcome, and was not executed", async () => {
    const cuts = proxy.cuts;
    proxy.cutNext(COMMIT, "request");
    // Deno's fetch retries a request without any response; the server executes each part of a transaction once
    const outcome = await insert(1).then(() => "done", ({ reason }) => reason);
    expect(proxy.cuts - cuts).toBe(1);
    const rows = await rowsOf(direct.reader, "select id, n from t");
    expect([outcome, rows]).toEqual(rows.length === 0 ? ["kernel.outcome_unknown", []] : ["done", [[1n, 1n]]]);
    await insert(2);
  });

  test("a read whose response is lost is retried", async () => {
    await insert(1);
    const cuts = proxy.cuts;
    for (const cut of ["request", "response"] as const) {
      const other = await openedRemote({ url: proxy.url });
      proxy.cutNext(/select id/, cut);
      expect(await rowsOf(other.reader, IDS)).toEqual([[1n]]);
    }
    expect(proxy.cuts - cuts).toBe(2);
  });

  test("streams that the server has lost are replaced", async () => {
    await Promise.all([1, 2, 3].map((id) => insert(id)));
    await Promise.all([1, 2, 3].map(() => rowsOf(engine.reader, IDS)));
    await sqld.kill();
    await sqld.restart();
    await Promise.all([4, 5, 6].map((id) => insert(id)));
    expect(await rowsOf(engine.reader, IDS)).toHaveLength(6);
  });

  test(
    "a BEGIN whose response is lost is retried, and its statements take effect once",
    async () => {
      proxy.cutNext(/insert into t/, "response");
      await insert(1);
      expect(await rowsOf(direct.reader, "select id, n from t")).toEqual([[1n, 1n]]);
    },
  );

  test("a later statement whose response is lost fails the transaction", async () => {
    const write = engine.write(async (session) => {
      await session.run(INSERT, [1]);
      proxy.cutNext(/"select 2/, "response");
      await Promise.resolve(session.run(statement("select 2"), [])).catch(() => undefined);
      await session.run(INSERT, [3]);
    });
    await expect(write).rejects.toMatchObject({ kind: "unavailable" });
    await insert(4);
    expect(await rowsOf(direct.reader, IDS)).toEqual([[4n]]);
  });

  test("a stopped server is reported immediately, and used again after a restart", async () => {
    await insert(1);
    const interrupted = engine.write(async (session) => {
      await session.run(INSERT, [2]);
      await sqld.kill();
      await session.run(INSERT, [3]);
    });
    const error = { kind: "unavailable", message: expect.stringContaining("the database cannot be reached") };
    await expect(interrupted).rejects.toMatchObject(error);
    const started = performance.now();
    await expect(rowsOf(engine.reader, IDS)).rejects.toMatchObject(error);
    await expect(insert(4)).rejects.toMatchObject(error);
    expect(performance.now() - started).toBeLessThan(LOCK_SECONDS * 1000);
    await sqld.restart();
    expect(await rowsOf(engine.reader, IDS)).toEqual([[1n]]);
    await insert(5);
    expect(await rowsOf(engine.reader, IDS)).toEqual([[1n], [5n]]);
  });

  test("a transaction that continues after a restart of the server fails", async () => {
    const write = engine.write(async (session) => {
      await session.run(INSERT, [1]);
      await sqld.kill();
      await sqld.restart();
    });
    await expect(write).rejects.toMatchObject({ kind: "unavailable" });
    expect(await rowsOf(engine.reader, IDS)).toEqual([]);
  });

  test("no acknowledged write is lost when the server is killed under load", async () => {
    const acknowledged: bigint[] = [];
    const errors: unknown[] = [];
    let next = 1;
    let isOver = false;
    async function writer(): Promise<void> {
      while (!isOver) {
        const id = next++;
        await insert(id).then(() => acknowledged.push(BigInt(id)), (error) => errors.push(error));
      }
    }
    const writers = Array.from({ length: 8 }, writer);
    const reached = (count: number) => expect.poll(() => acknowledged.length).toBeGreaterThan(count);
    for (let round = 0; round < 2; round++) {
      await reached(acknowledged.length + 50);
      await sqld.kill();
      await expect.poll(() => errors.length).toBeGreaterThan(0);
      await sqld.restart();
    }
    await reached(acknowledged.length + 50);
    isOver = true;
    await Promise.all(writers);
    for (const error of errors) expect(error).toMatchObject({ kind: "unavailable" });
    const stored = new Set((await rowsOf(engine.reader, IDS)).map(([id]) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(await rowsOf(engine.reader, "select id from t where n <> 1")).toEqual([]);
  });
});
