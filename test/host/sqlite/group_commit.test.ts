import { describe, expect, onTestFinished, test } from "vitest";
import { Connection } from "../../../core/host/sqlite/connection.ts";
import type { Session } from "../../../core/storage/engine.ts";
import { Writer } from "../../../core/host/sqlite/writer.ts";
import { statement, temporaryDatabase, temporaryEngine } from "./fixture.ts";
import { idsIn, INSERT, insert, SCHEMA } from "./writer_rig.ts";

describe("group commit", () => {
  test("keeps jobs that succeed and rolls back jobs that throw, in few commits", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const before = engine.writer.commits;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, id) =>
        engine.write(async (session) => {
          await session.run(INSERT, [id, "x"]);
          if (id % 8 === 3) throw new Error(`job ${id} fails`);
          return id;
        })),
    );
    for (const [id, outcome] of outcomes.entries()) {
      const fails = id % 8 === 3;
      expect(outcome.status === "rejected" ? outcome.reason : outcome.value).toEqual(
        fails ? new Error(`job ${id} fails`) : id,
      );
    }
    expect(await idsIn(engine)).toEqual(Array.from({ length: 64 }, (_, id) => id).filter((id) => id % 8 !== 3));
    expect(engine.writer.jobs).toBe(64);
    expect(engine.writer.commits - before).toBeLessThanOrEqual(4);
  });

  test("runs what jobs left for the commit once, without what a job left that was rolled back", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const runs: (readonly number[])[] = [];
    const addAll = (session: Session, ids: readonly number[]) => {
      runs.push(ids);
      for (const id of ids) session.run(INSERT, [id, "left"]);
    };
    const write = (id: number) =>
      engine.write(async (session) => {
        session.atCommit!(addAll, id);
        session.atCommit!(addAll, id + 100);
        if (id === 2) throw new Error("no");
      });
    await Promise.allSettled([write(1), write(2), insert(engine, 7), write(3)]);
    expect(runs).toEqual([[1, 101, 3, 103]]);
    expect(await idsIn(engine)).toEqual([1, 3, 7, 101, 103]);
  });

  test("commits nothing if what a job left fails", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const left = engine.write(async (session) =>
      session.atCommit!(() => {
        throw new Error("cannot be written");
      }, 1)
    );
    const outcomes = await Promise.allSettled([insert(engine, 1), left, insert(engine, 2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect(left).rejects.toMatchObject({ reason: "kernel.unavailable" });
    expect(await idsIn(engine)).toEqual([]);
    await insert(engine, 3);
    expect(await idsIn(engine)).toEqual([3]);
  });

  test("settles nothing before the commit, not even an error", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const before = engine.writer.commits;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const settled: string[] = [];
    const seen = async (name: string, write: Promise<unknown>) => {
      await write.catch(() => {});
      settled.push(`${name} at ${engine.writer.commits - before}`);
      expect(await idsIn(engine)).toEqual([1, 3]);
    };
    const all = Promise.all([
      seen("done", insert(engine, 1)),
      seen("failed", engine.write(() => Promise.reject(new Error("no")))),
      seen(
        "slow",
        engine.write(async (session) => {
          reach();
          await gate;
          await session.run(INSERT, [3, "x"]);
        }),
      ),
    ]);
    await reached;
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toEqual([]);
    open();
    await all;
    expect(settled).toEqual(["done at 1", "failed at 1", "slow at 1"]);
  });

  test("takes no more jobs than its limit", async () => {
    const engine = await temporaryEngine(SCHEMA, { writer: { groupJobs: 1 } });
    const before = engine.writer.commits;
    await Promise.all([insert(engine, 1), insert(engine, 2), insert(engine, 3)]);
    expect(engine.writer.commits - before).toBe(3);
  });

  test("ends a group after its time limit", async () => {
    const engine = await temporaryEngine(SCHEMA, { writer: { groupTime: -1 } });
    const before = engine.writer.commits;
    await Promise.all([insert(engine, 1), insert(engine, 2)]);
    expect(engine.writer.commits - before).toBe(2);
  });
});

test("a failed commit rejects every job, and the next group works", async () => {
  // A deferred constraint makes COMMIT fail. It needs foreign keys, which the engine turns off.
  const connection = new Connection(temporaryDatabase(), ["journal_mode = wal", "foreign_keys = on"]);
  onTestFinished(() => connection.close());
  connection.exec("create table parent(id integer primary key)");
  connection.exec("create table child(p references parent deferrable initially deferred)");
  const writer = new Writer(connection);
  const run = (sql: string) => writer.write(async (session) => session.run(statement(sql), []));
  const results = await Promise.allSettled([run("insert into parent values (1)"), run("insert into child values (9)")]);
  for (const result of results) {
    expect(result).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
  }
  expect(writer.commits).toBe(0);
  await run("insert into parent values (2)");
  expect(connection.query("select id from parent")).toEqual([[2]]);
});
