import { describe, expect, test } from "vitest";
import { openLocalEngine } from "../../../core/host/sqlite/engine.ts";
import type { Session } from "../../../core/storage/engine.ts";
import { statement, temporaryDatabase, temporaryEngine } from "./fixture.ts";
import { idsIn, INSERT, insert, SCHEMA } from "./writer_rig.ts";

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
