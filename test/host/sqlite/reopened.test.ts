import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readCheckpoint, readInstallationId } from "../../../core/host/sqlite/database_file.ts";
import { openLocalEngine } from "../../../core/host/sqlite/engine.ts";
import { statement, temporaryDatabase } from "./fixture.ts";

/** Runs another process that tries to take the database out of its write-ahead log, which only the last one may do. */
async function outsider(path: string): Promise<string> {
  const program = fileURLToPath(new URL("outsider_program.ts", import.meta.url));
  const flags = "deno" in process.versions ? ["run", "-A", "--quiet"] : [];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, path], {
    env: { ...process.env, RUST_LOG: "off" },
  });
  return stdout.trim();
}

test("other processes stay out at each moment after a process opens its database again", async () => {
  const path = temporaryDatabase();
  const first = await openLocalEngine({ path });
  onTestFinished(() => first.close());
  await first.migrate(async (session) => session.run(statement("create table t(n)"), []));
  expect(await outsider(path)).toContain("locked");
  await first.close();
  const second = await openLocalEngine({ path });
  onTestFinished(() => second.close());
  expect(await outsider(path)).toContain("locked");
  await second.write(async (session) => session.run(statement("insert into t values (1)"), []));
  expect(await outsider(path)).toContain("locked");
  readCheckpoint(path);
  expect(readInstallationId(path)).toBeUndefined();
  expect(await outsider(path)).toContain("locked");
  await expect(openLocalEngine({ path })).rejects.toThrow("is held by");
  expect(await outsider(path)).toContain("locked");
  expect(existsSync(`${path}-wal`)).toBe(true);
  expect((await second.reader.run(statement("select n from t"), [])).rows).toEqual([[1n]]);
});
