import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { CuttingProxy } from "../../../servers/cutting_proxy.ts";
import { type Sqld, sqldRuns } from "../../../servers/sqld.ts";
import { makeSchema, openedRemote, rowsOf, statement, temporarySqld } from "../engines.ts";

const INSERT = statement("insert into t(id) values (?)");
const IDS = "select id from t order by id";
/** What goes with COMMIT. Streams remember statements, so that the text goes over the wire once in each. */
const COMMIT = /"update t set n/;
/** The server frees a lock that nobody uses when somebody waits for it this long. */
const COUNT = statement("update t set n = n + 1 where id = ?");
const LOCK_SECONDS = 5;

describe.skipIf(!sqldRuns())("behind a network that fails", () => {
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

  test("a COMMIT whose answer is lost is reported as unknown, and was done once", async () => {
    proxy.cutNext(COMMIT, "response");
    const fault = { kind: "unavailable", reason: "kernel.outcome_unknown" };
    await expect(insert(1)).rejects.toMatchObject({ ...fault, message: expect.stringContaining("outcome is unknown") });
    expect(await rowsOf(direct.reader, "select id, n from t")).toEqual([[1n, 1n]]);
  });

  test("a COMMIT that does not arrive is reported as unknown, and was not done", async () => {
    const cuts = proxy.cuts;
    proxy.cutNext(COMMIT, "request");
    // Deno's fetch sends again what was not answered at all; the server takes each part of a transaction once
    const outcome = await insert(1).then(() => "done", ({ reason }) => reason);
    expect(proxy.cuts - cuts).toBe(1);
    const done = await rowsOf(direct.reader, "select id, n from t");
    expect([outcome, done]).toEqual(done.length === 0 ? ["kernel.outcome_unknown", []] : ["done", [[1n, 1n]]]);
    await insert(2);
  });

  test("a read whose answer is lost is made again", async () => {
    await insert(1);
    const cuts = proxy.cuts;
    for (const cut of ["request", "response"] as const) {
      const other = await openedRemote({ url: proxy.url });
      proxy.cutNext(/select id/, cut);
      expect(await rowsOf(other.reader, IDS)).toEqual([[1n]]);
    }
    expect(proxy.cuts - cuts).toBe(2);
  });

  test("streams that the server knows nothing of any more are replaced", async () => {
    await Promise.all([1, 2, 3].map((id) => insert(id)));
    await Promise.all([1, 2, 3].map(() => rowsOf(engine.reader, IDS)));
    await sqld.kill();
    await sqld.restart();
    await Promise.all([4, 5, 6].map((id) => insert(id)));
    expect(await rowsOf(engine.reader, IDS)).toHaveLength(6);
  });

  test("a beginning whose answer is lost is made again, and counts once", { timeout: 30_000 }, async () => {
    proxy.cutNext(/insert into t/, "response");
    await insert(1);
    expect(await rowsOf(direct.reader, "select id, n from t")).toEqual([[1n, 1n]]);
  });

  test("a later statement whose answer is lost fails the whole, and nothing stays", async () => {
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

  test("a server that is gone is named at once, and found again when it is back", async () => {
    await insert(1);
    const halfWay = engine.write(async (session) => {
      await session.run(INSERT, [2]);
      await sqld.kill();
      await session.run(INSERT, [3]);
    });
    const fault = { kind: "unavailable", message: expect.stringContaining("the database cannot be reached") };
    await expect(halfWay).rejects.toMatchObject(fault);
    const started = performance.now();
    await expect(rowsOf(engine.reader, IDS)).rejects.toMatchObject(fault);
    await expect(insert(4)).rejects.toMatchObject(fault);
    expect(performance.now() - started).toBeLessThan(LOCK_SECONDS * 1000);
    await sqld.restart();
    expect(await rowsOf(engine.reader, IDS)).toEqual([[1n]]);
    await insert(5);
    expect(await rowsOf(engine.reader, IDS)).toEqual([[1n], [5n]]);
  });

  test("a transaction that goes on after a restart of the server is refused", async () => {
    const write = engine.write(async (session) => {
      await session.run(INSERT, [1]);
      await sqld.kill();
      await sqld.restart();
    });
    await expect(write).rejects.toMatchObject({ kind: "unavailable" });
    expect(await rowsOf(engine.reader, IDS)).toEqual([]);
  });

  test("nothing acknowledged is lost when the server is killed under load", async () => {
    const acknowledged: bigint[] = [];
    const faults: unknown[] = [];
    let next = 1;
    let isOver = false;
    async function writer(): Promise<void> {
      while (!isOver) {
        const id = next++;
        await insert(id).then(() => acknowledged.push(BigInt(id)), (fault) => faults.push(fault));
      }
    }
    const writers = Array.from({ length: 8 }, writer);
    const reached = (count: number) =>
      expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(count);
    for (let round = 0; round < 2; round++) {
      await reached(acknowledged.length + 50);
      await sqld.kill();
      await expect.poll(() => faults.length, { timeout: 20_000 }).toBeGreaterThan(0);
      await sqld.restart();
    }
    await reached(acknowledged.length + 50);
    isOver = true;
    await Promise.all(writers);
    for (const fault of faults) expect(fault).toMatchObject({ kind: "unavailable" });
    const kept = new Set((await rowsOf(engine.reader, IDS)).map(([id]) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect(await rowsOf(engine.reader, "select id from t where n <> 1")).toEqual([]);
  });
});
