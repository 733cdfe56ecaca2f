import { describe, expect, test, vi } from "vitest";
import { RpcError } from "../../../core/base/errors.ts";
import type { LocalEngine } from "../../../core/host/sqlite/engine.ts";
import { statement, temporaryEngine } from "./fixture.ts";
import { idsIn, INSERT, insert, SCHEMA } from "./writer_rig.ts";

const FILL = statement("insert into t(n) values (hex(zeroblob(?)))");

describe("when the database is full", () => {
  async function fullEngine(report = (_text: string) => {}): Promise<LocalEngine> {
    const engine = await temporaryEngine(SCHEMA, { report });
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

  test("the engine says so until a write works, and reports it once", async () => {
    const reports: string[] = [];
    const engine = await fullEngine((text) => reports.push(text));
    const fill = () => engine.write(async (session) => session.run(FILL, [100_000]));
    await expect(fill()).rejects.toMatchObject({ kind: "unavailable" });
    await expect(fill()).rejects.toMatchObject({ kind: "unavailable" });
    expect(engine.degraded).toContain("the last write failed: ");
    expect(engine.degraded).toContain("disk is full");
    expect(reports).toEqual([expect.stringMatching(/^writes fail, reads go on: .*disk is full/)]);
    let id = 1;
    await vi.waitFor(async () => {
      await insert(engine, ++id);
      expect(engine.degraded).toBeUndefined();
    }, { timeout: 60_000 });
    expect(reports.slice(1)).toEqual(["writes work again"]);
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
