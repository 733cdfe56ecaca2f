import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { LocalReplica, type ReplicaLimits } from "../../core/host/replica/local_replica.ts";
import { systemClock } from "../../core/base/clock.ts";
import { createLogger } from "../../core/base/log.ts";
import type { RemoteEngine } from "../../core/storage/remote/engine.ts";
import {
  COUNTED,
  makeSchema,
  openedRemote,
  rowsOf,
  statement,
  temporaryDirectory,
  temporarySqld,
} from "../core/storage/engines.ts";
import { type Sqld, sqldRuns } from "../servers/sqld.ts";

const [USED, NOT_USED] = ["reads are answered by the replica", "reads are answered by the database, not the replica"];
const MAX_AGE = 100;
const WAIT = { timeout: 20_000, interval: 10 };

interface Rig {
  readonly sqld: Sqld;
  /** With the replica. */
  readonly engine: RemoteEngine;
  /** Another instance, without. */
  readonly other: RemoteEngine;
  readonly replica: LocalReplica;
  readonly directory: string;
  /** What the replica said of itself. */
  readonly lines: readonly string[];
}

async function rig(limits: Partial<ReplicaLimits> = {}, directory?: string, server?: Sqld): Promise<Rig> {
  const sqld = server ?? await temporarySqld();
  const folder = directory ?? join(await temporaryDirectory(), "replica");
  const lines: string[] = [];
  const log = createLogger({ level: "info", write: (line) => lines.push(line), clock: systemClock });
  const other = await openedRemote({ url: sqld.url });
  if (server === undefined) await makeSchema(other, "create table t (id integer primary key, word text) strict");
  const options = { directory: folder, url: sqld.url, token: undefined, greatestAge: MAX_AGE, log };
  const replica = new LocalReplica({ ...options, limits: { patience: 10_000, ...limits } });
  const engine = await openedRemote({ url: sqld.url, replica, limits: COUNTED });
  onTestFinished(() => engine.close());
  return { sqld, engine, other, replica, directory: folder, lines };
}

async function fit({ lines }: Rig, times = 1): Promise<void> {
  await vi.waitFor(() => expect(lines.filter((line) => line.includes(`"${USED}"`))).toHaveLength(times), WAIT);
}

const INSERT = statement("insert into t (word) values (?) returning id");

async function add(engine: RemoteEngine, word: string): Promise<bigint> {
  return await engine.write(async (session) => (await session.run(INSERT, [word])).rows[0]![0] as bigint);
}

async function words(engine: RemoteEngine, mayBeOlder = true): Promise<unknown[]> {
  const reads = engine.beginReads(mayBeOlder);
  try {
    return (await rowsOf(reads, "select word from t order by id")).map(([word]) => word);
  } finally {
    reads.end();
  }
}

describe.skipIf(!sqldRuns())("a replica", () => {
  test("answers without asking the server, and has every write of its instance at once", async () => {
    const rigged = await rig();
    await fit(rigged);
    const { engine } = rigged;
    await words(engine);
    const expected: string[] = [];
    let trips = 0;
    for (let round = 0; round < 200; round++) {
      await add(engine, `word ${round}`);
      expected.push(`word ${round}`);
      const asked = engine.roundTrips;
      expect(await words(engine)).toEqual(expected);
      trips += engine.roundTrips - asked;
    }
    expect(trips).toBe(0);
    expect(rigged.lines.join()).not.toContain(NOT_USED);
  });

  test("has what others wrote before the greatest age that it may have", async () => {
    const rigged = await rig();
    await fit(rigged);
    for (let round = 0; round < 10; round++) {
      await add(rigged.other, `word ${round}`);
      const written = performance.now();
      while (performance.now() - written < MAX_AGE) await words(rigged.engine);
      expect(await words(rigged.engine)).toHaveLength(round + 1);
    }
  });

  test("is not asked for what must not be older than the call", async () => {
    const rigged = await rig();
    await fit(rigged);
    for (let round = 0; round < 50; round++) {
      await add(rigged.other, `word ${round}`);
      expect(await words(rigged.engine, false)).toHaveLength(round + 1);
    }
  });

  test("shows columns that a migration added", async () => {
    const rigged = await rig();
    const all = async () => {
      const reads = rigged.engine.beginReads(true);
      return await reads.run(statement("select * from t"), []);
    };
    await fit(rigged);
    await add(rigged.engine, "a");
    expect((await all()).columns).toEqual(["id", "word"]);
    await makeSchema(rigged.engine, "alter table t add column more text default 'x'");
    expect(await all()).toMatchObject({ columns: ["id", "word", "more"], rows: [[1n, "a", "x"]] });
  });

  test("keeps every kind of value, and leaves an error to the server", async () => {
    const rigged = await rig();
    await fit(rigged);
    const reads = rigged.engine.beginReads(true);
    const values = [null, -(2n ** 63n), 2.5, "ä\u{1F600}", new Uint8Array([0, 255])] as const;
    const { columns, rows } = await reads.run(statement("select ? as a, ? as b, ? as c, ? as d, ? as e"), values);
    expect(columns).toEqual(["a", "b", "c", "d", "e"]);
    expect(rows.map((row) => row.map((value) => value instanceof Uint8Array ? [...value] : value)))
      .toEqual([[null, -(2n ** 63n), 2.5, "ä\u{1F600}", [0, 255]]]);
    await expect(rowsOf(rigged.engine.beginReads(true), "select missing from t")).rejects.toThrow("no such column");
    await expect(rowsOf(rigged.engine.beginReads(true), "delete from t")).rejects.toThrow("readonly");
    expect(rigged.lines.join()).not.toContain(NOT_USED);
  });

  test("that was killed is replaced, and reads go to the server meanwhile", async () => {
    const rigged = await rig();
    await fit(rigged);
    await add(rigged.engine, "before");
    await words(rigged.engine);
    const { processId } = rigged.replica;
    process.kill(processId!, "SIGKILL");
    for (let round = 0; round < 20; round++) expect(await words(rigged.engine)).toEqual(["before"]);
    await fit(rigged, 2);
    expect(rigged.replica.processId).not.toBe(processId);
    expect(await words(rigged.engine)).toEqual(["before"]);
  });

  test("leaves the event loop turning while the server stands still, and is used again after it", async () => {
    const rigged = await rig({ patience: 50 });
    await fit(rigged);
    await add(rigged.engine, "before");
    process.kill(rigged.sqld.pid, "SIGSTOP");
    const reading = vi.waitFor(() => expect(rigged.lines.join()).toContain(NOT_USED), WAIT);
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const waiting = words(rigged.engine).catch(() => undefined);
    await reading;
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    process.kill(rigged.sqld.pid, "SIGCONT");
    await waiting;
    await fit(rigged, 2);
    expect(await words(rigged.engine)).toEqual(["before"]);
  });

  test("that does not answer at all is stopped and started anew", async () => {
    const rigged = await rig({ patience: 50, stuckTime: 300 });
    await fit(rigged);
    const { processId } = rigged.replica;
    process.kill(processId!, "SIGSTOP");
    expect(await words(rigged.engine)).toEqual([]);
    await fit(rigged, 2);
    expect(rigged.replica.processId).not.toBe(processId);
  });

  test("of a database that was replaced is of the new one", async () => {
    const rigged = await rig();
    await fit(rigged);
    for (let round = 0; round < 5; round++) await add(rigged.engine, `old ${round}`);
    await words(rigged.engine);
    await rigged.sqld.kill();
    await rm(rigged.sqld.directory, { recursive: true });
    await rigged.sqld.restart();
    const again = await openedRemote({ url: rigged.sqld.url });
    await makeSchema(again, "create table t (id integer primary key, word text) strict");
    await add(again, "new");
    await vi.waitFor(async () => expect(await words(rigged.engine)).toEqual(["new"]), WAIT);
  });

  test("whose file is damaged is made anew", async () => {
    const first = await rig();
    await fit(first);
    for (let round = 0; round < 5; round++) await add(first.engine, `word ${round}`);
    await words(first.engine);
    await first.engine.close();
    await writeFile(join(first.directory, "copy.db"), "no database at all ".repeat(1000));
    const second = await rig({}, first.directory, first.sqld);
    await fit(second);
    expect(await words(second.engine)).toHaveLength(5);
  });

  test("is kept from start to start, and belongs to one process", async () => {
    const first = await rig();
    await fit(first);
    for (let round = 0; round < 50; round++) await add(first.engine, `word ${round}`);
    const second = await rig({}, first.directory, first.sqld);
    await vi.waitFor(() => expect(second.lines.join()).toContain("is held by process"), WAIT);
    expect(await words(second.engine)).toHaveLength(50);
    await first.engine.close();
    await fit(second);
    expect(await words(second.engine)).toHaveLength(50);
  });

  test("that is killed at any moment while it fetches loses nothing", async () => {
    const rigged = await rig();
    await fit(rigged);
    const kills = Number(process.env.TEST_KILLS ?? 5);
    const expected: string[] = [];
    for (let kill = 1; kill <= kills; kill++) {
      const more = Array.from({ length: 20 }, (_, at) => `${kill}.${at} `.padEnd(5000, "x"));
      const adding = Promise.all(more.map((word) => add(rigged.other, word)));
      const asked = words(rigged.engine);
      process.kill(rigged.replica.processId!, "SIGKILL");
      await asked;
      await adding;
      expected.push(...more);
      await fit(rigged, kill + 1);
      await add(rigged.engine, `end of ${kill}`);
      expected.push(`end of ${kill}`);
      const reads = rigged.engine.beginReads(true);
      expect(await rowsOf(reads, "pragma integrity_check")).toEqual([["ok"]]);
      expect((await words(rigged.engine)).toSorted()).toEqual(expected.toSorted());
    }
  });
});
