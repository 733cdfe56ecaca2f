import { Buffer } from "node:buffer";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { describe, expect, onTestFinished, test } from "vitest";
import { frameOf, FrameReader } from "../../../../core/host/child/frames.ts";
import { rowsOf, startProgram, statement, temporaryDatabase, temporaryEngine } from "../fixture.ts";

const SCHEMA = ["create table t(a, b)"];
const ENDLESS = statement("with recursive c(v) as (values (1) union all select v + 1 from c) select sum(v) from c");
const NUMBERS = statement(
  "with recursive c(v) as (values (1) union all select v + 1 from c where v < ?) select v, 'text' from c",
);

function afterMilliseconds(milliseconds: number): number {
  return Date.now() + milliseconds;
}

/** Returns true if a process runs. A zombie does not count. */
function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return process.platform !== "linux" || !readFileSync(`/proc/${processId}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

describe("scan", () => {
  test("returns values of every type as a reader does", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const bytes = new Uint8Array([0, 255]);
    await engine.write(async (session) => {
      await session.run(statement("insert into t values (?, ?), (?, ?)"), [2n ** 63n - 1n, "é", 1.5, bytes]);
      await session.run(statement("insert into t values (null, ?)"), [new Uint8Array()]);
    });
    const query = statement("select a, b from t where a is not ?");
    const { columns, rows, changes } = await engine.scan(query, ["x"], afterMilliseconds(20_000));
    expect({ columns, changes }).toEqual({ columns: ["a", "b"], changes: 0n });
    expect(rows.map(([a, b]) => [a, b instanceof Uint8Array ? [...b] : b])).toEqual([
      [2n ** 63n - 1n, "é"],
      [1.5, [0, 255]],
      [null, []],
    ]);
  });

  test("is killed at its deadline without blocking the event loop, and the next scan works", async () => {
    const engine = await temporaryEngine(SCHEMA);
    await engine.scan(NUMBERS, [1], afterMilliseconds(20_000));
    const [processId] = engine.scans.processIds;
    let turns = 0;
    const ticker = setInterval(() => turns++, 5);
    const started = Date.now();
    await expect(engine.scan(ENDLESS, [], afterMilliseconds(300))).rejects.toMatchObject({ reason: "kernel.deadline" });
    clearInterval(ticker);
    expect(Date.now() - started).toBeLessThan(5000);
    expect(turns).toBeGreaterThan(10);
    await expect.poll(() => isRunning(processId!)).toBe(false);
    expect((await engine.scan(NUMBERS, [3], afterMilliseconds(20_000))).rows).toHaveLength(3);
  });

  test.each([["SIGSTOP", "the scan took longer than its deadline allows"], [
    "SIGKILL",
    "the scan process exited: SIGKILL",
  ]])(
    "a process that got %s is reported and replaced",
    async (signal, reason) => {
      const reports: string[] = [];
      const engine = await temporaryEngine(SCHEMA, { report: (text) => void reports.push(text) });
      await engine.scan(NUMBERS, [1], afterMilliseconds(20_000));
      const [processId] = engine.scans.processIds;
      process.kill(processId!, "SIGSTOP");
      const hung = expect(engine.scan(NUMBERS, [1], afterMilliseconds(300))).rejects.toThrow(reason);
      process.kill(processId!, signal);
      await hung;
      expect(reports).toEqual([`the scan process ${processId} is replaced: ${reason}: ${NUMBERS.sql}`]);
      await expect.poll(() => isRunning(processId!)).toBe(false);
      expect((await engine.scan(NUMBERS, [3], afterMilliseconds(20_000))).rows).toHaveLength(3);
      expect(engine.scans.processIds).not.toContain(processId);
    },
  );

  test("ends at once if its deadline has passed, without a warning of the runtime", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const warnings: string[] = [];
    const listen = ({ message }: Error) => warnings.push(message);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    await expect(engine.scan(NUMBERS, [1], afterMilliseconds(-50))).rejects.toMatchObject({ kind: "deadline" });
    // Warnings are emitted a tick later.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  test("reuses its processes, at most two", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const scans = Array.from({ length: 6 }, () => engine.scan(NUMBERS, [10], afterMilliseconds(20_000)));
    await Promise.all(scans);
    expect(engine.scans.processIds).toHaveLength(2);
    const before = engine.scans.processIds;
    await engine.scan(NUMBERS, [10], afterMilliseconds(20_000));
    expect([...engine.scans.processIds].sort()).toEqual([...before].sort());
  });

  test("ends at its own deadline while it waits for a process", async () => {
    const engine = await temporaryEngine(SCHEMA, { scan: { processes: 1 } });
    const endless = engine.scan(ENDLESS, [], afterMilliseconds(600));
    const waiting = engine.scan(NUMBERS, [1], afterMilliseconds(100));
    const patient = engine.scan(NUMBERS, [1], afterMilliseconds(20_000));
    const order: string[] = [];
    await Promise.all([
      expect(endless).rejects.toMatchObject({ kind: "deadline" }).then(() => order.push("endless")),
      expect(waiting).rejects.toMatchObject({ kind: "deadline" }).then(() => order.push("waiting")),
      expect(patient).resolves.toMatchObject({ rows: [[1n, "text"]] }).then(() => order.push("patient")),
    ]);
    expect(order).toEqual(["waiting", "endless", "patient"]);
  });

  test("refuses a result above its limits", async () => {
    const engine = await temporaryEngine(SCHEMA, { scan: { rows: 100, bytes: 2000 } });
    expect((await engine.scan(NUMBERS, [100], afterMilliseconds(20_000))).rows).toHaveLength(100);
    await expect(engine.scan(NUMBERS, [101], afterMilliseconds(20_000))).rejects.toMatchObject({
      kind: "too_large",
      message: "the result of the scan is larger than the limit of 100 rows",
    });
    const wide = statement("select zeroblob(2001)");
    await expect(engine.scan(wide, [], afterMilliseconds(20_000))).rejects.toThrow("the limit of 2000 bytes");
  });

  test("reports errors of SQLite, and cannot write", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const bad = statement("select json(?)");
    await expect(engine.scan(bad, ["{"], afterMilliseconds(20_000))).rejects.toThrow("malformed JSON");
    const write = statement("delete from t");
    await expect(engine.scan(write, [], afterMilliseconds(20_000))).rejects.toThrow();
    expect(await rowsOf(engine.reader, "select count(*) from t")).toEqual([[0n]]);
  });

  test("stops an idle process", async () => {
    const engine = await temporaryEngine(SCHEMA, { scan: { idleTime: 1 } });
    await engine.scan(NUMBERS, [1], afterMilliseconds(20_000));
    await expect.poll(() => engine.scans.processIds).toEqual([]);
  });

  test("ends with the engine", async () => {
    const engine = await temporaryEngine(SCHEMA);
    const running = engine.scan(ENDLESS, [], afterMilliseconds(20_000));
    const outcome = expect(running).rejects.toThrow("the database is closed");
    await engine.close();
    await outcome;
  });
});

describe("the scan process", () => {
  test("exits with its parent, even during a statement", async () => {
    const { child, line } = await startProgram("reads/scan_program.ts", temporaryDatabase(), "endless");
    const scanner = Number(line);
    expect(isRunning(scanner)).toBe(true);
    child.kill("SIGKILL");
    await expect.poll(() => isRunning(scanner)).toBe(false);
  });

  test("does not keep its parent alive", async () => {
    const { child, line } = await startProgram("reads/scan_program.ts", temporaryDatabase(), "once");
    child.stdin.end();
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).toBe(0);
    await expect.poll(() => isRunning(Number(line))).toBe(false);
  });
});

describe("FrameReader", () => {
  test("decodes messages from chunks of any size", () => {
    const messages = [{ a: [1n, new Uint8Array([1, 2])] }, "x".repeat(100), null, -(2n ** 63n)];
    const stream = new Uint8Array(Buffer.concat(messages.map(frameOf)));
    for (const size of [1, 3, 7, 1000]) {
      const reader = new FrameReader();
      const read: unknown[] = [];
      for (let at = 0; at < stream.length; at += size) read.push(...reader.read(stream.slice(at, at + size)));
      expect(read).toEqual(messages);
    }
  });
});
