import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { snapshot } from "../../../core/host/backup/snapshot.ts";
import { Connection } from "../../../core/host/sqlite/connection.ts";

/** The time for which a copy waits for a lock, in which no thread of its process can interrupt it. */
const LOCK_MILLISECONDS = 10_000;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-snapshot-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("a copy that is in a call of SQLite ends at once when it is aborted, and writes no more", async () => {
  const [source, target] = [join(directory, "source.db"), join(directory, "target.db")];
  const database = new Connection(source, []);
  database.exec("create table t(n integer)");
  database.close();
  await writeFile(target, "");
  const holder = new Connection(target, []);
  holder.exec("begin exclusive");
  const stop = new AbortController();
  let abortedAt = Infinity;
  const abort = () => {
    abortedAt = Math.min(abortedAt, performance.now());
    stop.abort(new Error("the server stops"));
  };
  await expect(snapshot({ source, target }, abort, stop.signal)).rejects.toThrow("the server stops");
  expect(performance.now() - abortedAt).toBeLessThan(LOCK_MILLISECONDS / 2);
  holder.exec("rollback");
  holder.close();
  expect(await readFile(target)).toHaveLength(0);
});

test("an aborted copy does not begin", async () => {
  const reason = new Error("the server stops");
  const task = { source: join(directory, "source.db"), target: join(directory, "target.db") };
  await expect(snapshot(task, undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
});
