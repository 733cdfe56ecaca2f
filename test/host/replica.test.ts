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

const [USED, NOT_USED] = ["replica in use", "replica not in use"];
const MAX_AGE = 100;
const WAIT = { timeout: 300_000, interval: 10 };

interface Rig {
  readonly sqld: Sqld;
  /** The engine with the replica. */
  readonly engine: RemoteEngine;
  /** The engine of another instance, without a replica. */
  readonly other: RemoteEngine;
  readonly replica: LocalReplica;
  readonly directory: string;
  /** The log lines of the replica. */
  readonly lines: readonly string[];
}

async function rig(limits: Partial<ReplicaLimits> = {}, directory?: string, server?: Sqld): Promise<Rig> {
  const sqld = server ?? await temporarySqld();
  const folder = directory ?? join(await temporaryDirectory(), "replica");
  const lines: string[] = [];
  const log = createLogger({ level: "info", write: (line) => lines.push(line), clock: systemClock });
  const other = await openedRemote({ url: sqld.url });
  if (server === undefined) await makeSchema(other, "create table t (id integer primary key, word text) strict");
  const options = { directory: folder, url: sqld.url, token: undefined, maxAgeMilliseconds: MAX_AGE, log };
  const replica = new LocalReplica({ ...options, limits: { readTimeout: 10_000, ...limits } });
  const engine = await openedRemote({ url: sqld.url, replica, limits: COUNTED });
  onTestFinished(() => engine.close());
  return { sqld, engine, other, replica, directory: folder, lines };
}

async function untilUsed({ lines }: Rig, times = 1): Promise<void> {
  await vi.waitFor(() => expect(lines.filter((line) => line.includes(`"${USED}"`))).toHaveLength(times), WAIT);
}

const INSERT = statement("insert into t (word) values (?) returning id");

async function add(engine: RemoteEngine, word: string): Promise<bigint> {
  return await engine.write(async (session) => (await session.run(INSERT, [word])).rows[0]![0] as bigint);
}

async function wordsIn(engine: RemoteEngine, mayBeOlder = true): Promise<unknown[]> {
  const reads = engine.beginReads(mayBeOlder);
  try {
    return (await rowsOf(reads, "select word from t order by id")).map(([word]) => word);
  } finally {
    reads.end();
  }
}

describe.skipIf(!sqldRuns())("a replica", () => {
  test("serves reads without round trips, including every write of its instance", async () => {
    const setup = await rig();
    await untilUsed(setup);
    const { engine } = setup;
    await wordsIn(engine);
    const expected: string[] = [];
    let trips = 0;
    for (let round = 0; round < 200; round++) {
      await add(engine, `word ${round}`);
      expected.push(`word ${round}`);
      const before = engine.roundTrips;
      expect(await wordsIn(engine)).toEqual(expected);
      trips += engine.roundTrips - before;
    }
    expect(trips).toBe(0);
    expect(setup.lines.join()).not.toContain(NOT_USED);
  });

  test("runs a statement again with other parameters", async () => {
    const setup = await rig();
    await untilUsed(setup);
    const { engine } = setup;
    for (const word of ["one", "two", "three"]) await add(engine, word);
    const find = statement("select id, word from t where id = ?");
    const found = [];
    for (const id of [1n, 3n, 2n]) {
      const reads = engine.beginReads(true);
      const before = engine.roundTrips;
      found.push(...(await reads.run(find, [id])).rows);
      expect(engine.roundTrips).toBe(before);
      reads.end();
    }
    expect(found).toEqual([[1n, "one"], [3n, "three"], [2n, "two"]]);
  });

  test("has the writes of other instances within its maximum age", async () => {
    const setup = await rig();
    await untilUsed(setup);
    for (let round = 0; round < 10; round++) {
      await add(setup.other, `word ${round}`);
      const written = performance.now();
      while (performance.now() - written < MAX_AGE) await wordsIn(setup.engine);
      expect(await wordsIn(setup.engine)).toHaveLength(round + 1);
    }
  });

  test("is not used for reads that must be current", async () => {
    const setup = await rig();
    await untilUsed(setup);
    for (let round = 0; round < 50; round++) {
      await add(setup.other, `word ${round}`);
      expect(await wordsIn(setup.engine, false)).toHaveLength(round + 1);
    }
  });

  test("returns columns that a migration added", async () => {
    const setup = await rig();
    const all = async () => {
      const reads = setup.engine.beginReads(true);
      return await reads.run(statement("select * from t"), []);
    };
    await untilUsed(setup);
    await add(setup.engine, "a");
    expect((await all()).columns).toEqual(["id", "word"]);
    await makeSchema(setup.engine, "alter table t add column more text default 'x'");
    expect(await all()).toMatchObject({ columns: ["id", "word", "more"], rows: [[1n, "a", "x"]] });
  });

  test("preserves every type of value, and leaves errors to the server", async () => {
    const setup = await rig();
    await untilUsed(setup);
    const reads = setup.engine.beginReads(true);
    const values = [null, -(2n ** 63n), 2.5, "ä\u{1F600}", new Uint8Array([0, 255])] as const;
    const { columns, rows } = await reads.run(statement("select ? as a, ? as b, ? as c, ? as d, ? as e"), values);
    expect(columns).toEqual(["a", "b", "c", "d", "e"]);
    expect(rows.map((row) => row.map((value) => value instanceof Uint8Array ? [...value] : value)))
      .toEqual([[null, -(2n ** 63n), 2.5, "ä\u{1F600}", [0, 255]]]);
    await expect(rowsOf(setup.engine.beginReads(true), "select missing from t")).rejects.toThrow("no such column");
    await expect(rowsOf(setup.engine.beginReads(true), "delete from t")).rejects.toThrow("readonly");
    expect(setup.lines.join()).not.toContain(NOT_USED);
  });

  test("is restarted after a crash, and reads go to the server meanwhile", async () => {
    const setup = await rig();
    await untilUsed(setup);
    await add(setup.engine, "before");
    await wordsIn(setup.engine);
    const { processId } = setup.replica;
    process.kill(processId!, "SIGKILL");
    for (let round = 0; round < 20; round++) expect(await wordsIn(setup.engine)).toEqual(["before"]);
    await untilUsed(setup, 2);
    expect(setup.replica.processId).not.toBe(processId);
    expect(await wordsIn(setup.engine)).toEqual(["before"]);
  });

  test("does not block the event loop while the server is suspended, and is used again afterwards", async () => {
    const setup = await rig({ readTimeout: 1000 });
    await untilUsed(setup);
    await add(setup.engine, "before");
    process.kill(setup.sqld.pid, "SIGSTOP");
    const reading = vi.waitFor(() => expect(setup.lines.join()).toContain(NOT_USED), WAIT);
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const waiting = wordsIn(setup.engine).catch(() => undefined);
    await reading;
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    process.kill(setup.sqld.pid, "SIGCONT");
    await waiting;
    await untilUsed(setup, 2);
    expect(await wordsIn(setup.engine)).toEqual(["before"]);
  });

  test("is restarted when its process does not respond", async () => {
    const setup = await rig({ readTimeout: 50, responseTimeout: 300 });
    await untilUsed(setup);
    const { processId } = setup.replica;
    process.kill(processId!, "SIGSTOP");
    expect(await wordsIn(setup.engine)).toEqual([]);
    await untilUsed(setup, 2);
    expect(setup.replica.processId).not.toBe(processId);
  });

  test("is rebuilt when the database is replaced", async () => {
    const setup = await rig();
    await untilUsed(setup);
    for (let round = 0; round < 5; round++) await add(setup.engine, `old ${round}`);
    await wordsIn(setup.engine);
    await setup.sqld.kill();
    await rm(setup.sqld.directory, { recursive: true });
    await setup.sqld.restart();
    const again = await openedRemote({ url: setup.sqld.url });
    await makeSchema(again, "create table t (id integer primary key, word text) strict");
    await add(again, "new");
    await vi.waitFor(async () => expect(await wordsIn(setup.engine)).toEqual(["new"]), WAIT);
  });

  test("is rebuilt when its file is damaged", async () => {
    const first = await rig();
    await untilUsed(first);
    for (let round = 0; round < 5; round++) await add(first.engine, `word ${round}`);
    await wordsIn(first.engine);
    await first.engine.close();
    await writeFile(join(first.directory, "copy.db"), "not a database ".repeat(1000));
    const second = await rig({}, first.directory, first.sqld);
    await untilUsed(second);
    expect(await wordsIn(second.engine)).toHaveLength(5);
  });

  test("is kept across restarts and used by one process only", async () => {
    const first = await rig();
    await untilUsed(first);
    for (let round = 0; round < 50; round++) await add(first.engine, `word ${round}`);
    const second = await rig({}, first.directory, first.sqld);
    await vi.waitFor(() => expect(second.lines.join()).toContain("is held by process"), WAIT);
    expect(await wordsIn(second.engine)).toHaveLength(50);
    await first.engine.close();
    await untilUsed(second);
    expect(await wordsIn(second.engine)).toHaveLength(50);
  });

  test("loses nothing when it is killed while it synchronises", async () => {
    const setup = await rig();
    await untilUsed(setup);
    const kills = Number(process.env.TEST_KILLS ?? 5);
    const expected: string[] = [];
    for (let kill = 1; kill <= kills; kill++) {
      const more = Array.from({ length: 20 }, (_, at) => `${kill}.${at} `.padEnd(5000, "x"));
      const adding = Promise.all(more.map((word) => add(setup.other, word)));
      const reading = wordsIn(setup.engine);
      process.kill(setup.replica.processId!, "SIGKILL");
      await reading;
      await adding;
      expected.push(...more);
      await untilUsed(setup, kill + 1);
      await add(setup.engine, `end of ${kill}`);
      expected.push(`end of ${kill}`);
      const reads = setup.engine.beginReads(true);
      expect(await rowsOf(reads, "pragma integrity_check")).toEqual([["ok"]]);
      expect((await wordsIn(setup.engine)).toSorted()).toEqual(expected.toSorted());
    }
  });
});
