import { describe, expect, onTestFinished, test } from "vitest";
import { RpcError } from "../../../core/base/errors.ts";
import { Connection } from "../../../core/host/sqlite/connection.ts";
import { type LocalEngine, openLocalEngine } from "../../../core/host/sqlite/engine.ts";
import { Writer } from "../../../core/host/sqlite/writer.ts";
import type { Session, SqlResult } from "../../../core/storage/engine.ts";
import { rowsOf, statement, temporaryDatabase, temporaryEngine } from "./fixture.ts";

const SCHEMA = ["create table t(id integer primary key, n text)"];
const INSERT = statement("insert into t(id, n) values (?, ?)");
const FILL = statement("insert into t(n) values (hex(zeroblob(?)))");

function insert(engine: LocalEngine, id: number, n = "x"): Promise<SqlResult> {
  return engine.write(async (session) => session.run(INSERT, [id, n]));
}

async function idsIn(engine: LocalEngine): Promise<number[]> {
  return (await rowsOf(engine.reader, "select id from t order by id")).map(([id]) => Number(id));
}

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

describe("a job", () => {
  test("may catch a failed statement and continue", async () => {
    const engine = await temporaryEngine(SCHEMA);
    await insert(engine, 1);
    const caught = await engine.write(async (session) => {
      await session.run(INSERT, [2, "x"]);
      try {
        await session.run(INSERT, [1, "x"]);
      } catch (error) {
        return error;
      }
    });
    expect(caught).toMatchObject({ code: "SQLITE_CONSTRAINT_PRIMARYKEY" });
    expect(await idsIn(engine)).toEqual([1, 2]);
  });

  test("cannot use its session afterwards", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const session = await engine.write(async (session): Promise<[Session]> => [session]);
    expect(() => session[0].run(INSERT, [1, "x"])).toThrow("the write transaction of this session has ended");
    expect(await idsIn(engine)).toEqual([]);
  });

  test("that does not finish is rolled back, and its later writes are refused", async () => {
    const engine = await temporaryEngine(SCHEMA, { writer: { jobTime: 20 } });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const stuck = engine.write(async (session) => {
      await session.run(INSERT, [1, "x"]);
      await gate;
      try {
        await session.run(INSERT, [2, "x"]);
      } catch (error) {
        late.resolve(error);
        throw error;
      }
    });
    const other = insert(engine, 3);
    await expect(stuck).rejects.toMatchObject({ reason: "kernel.deadline" });
    await other;
    open();
    expect(await late.promise).toEqual(new Error("the write transaction of this session has ended"));
    expect(await idsIn(engine)).toEqual([3]);
  });

  test("that throws synchronously rejects like any other", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const work = () => {
      throw new Error("synchronous");
    };
    await expect(engine.write(work)).rejects.toThrow("synchronous");
  });
});

describe("when the database is full", () => {
  async function fullEngine(): Promise<LocalEngine> {
    const engine = await temporaryEngine(SCHEMA);
    await engine.write(async (session) => session.run(statement("pragma max_page_count = 20"), []));
    return engine;
  }

  test("every job of the group is rejected, and the next group works", async () => {
    const engine = await fullEngine();
    const outcomes = await Promise.allSettled([
      insert(engine, 1),
      engine.write(() => Promise.reject(new Error("its own error"))),
      engine.write(async (session) => session.run(FILL, [100_000])),
    ]);
    for (const outcome of outcomes) {
      expect(outcome.status).toBe("rejected");
      const { reason } = outcome as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(RpcError);
      expect(reason).toMatchObject({ kind: "unavailable", message: expect.stringContaining("disk is full") });
    }
    await insert(engine, 2);
    expect(await idsIn(engine)).toEqual([2]);
  });

  test("a job that catches the error writes nothing outside the transaction", async () => {
    const engine = await fullEngine();
    const first = insert(engine, 1);
    const second = engine.write(async (session) => {
      await Promise.resolve().then(() => session.run(FILL, [100_000])).catch(() => {});
      await Promise.resolve().then(() => session.run(INSERT, [2, "x"])).catch(() => {});
      return "done";
    });
    await expect(first).rejects.toMatchObject({ kind: "unavailable" });
    await expect(second).rejects.toMatchObject({ kind: "unavailable", message: expect.stringContaining("is full") });
    expect(await idsIn(engine)).toEqual([]);
    await insert(engine, 3);
    expect(await idsIn(engine)).toEqual([3]);
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

describe("close", () => {
  test("waits for queued writes", async () => {
    const path = temporaryDatabase();
    const engine = await openLocalEngine({ path });
    await engine.migrate(async (session) => session.run(statement(SCHEMA[0]!), []));
    const writes = [insert(engine, 1), insert(engine, 2)];
    await engine.close();
    await Promise.all(writes);
    const again = await openLocalEngine({ path });
    expect(await idsIn(again)).toEqual([1, 2]);
    await again.close();
  });

  test("waits only up to its time limit", async () => {
    const engine = await temporaryEngine(SCHEMA, { closeTime: 10 });
    const { promise: never } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const stuck = engine.write(() => {
      reach();
      return never;
    });
    stuck.catch(() => {});
    await reached;
    const queued = engine.migrate(async () => {});
    queued.catch(() => {});
    await engine.close();
    await expect(queued).rejects.toThrow("the database is closed");
  });
});
