import { beforeAll, describe, expect, test } from "vitest";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { sqldRuns } from "../../../servers/sqld.ts";
import { COUNTED, makeSchema, openedRemote, rowsOf, scopeOf, statement, temporarySqld } from "../engines.ts";

const IDS = "select id from t order by id";

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
