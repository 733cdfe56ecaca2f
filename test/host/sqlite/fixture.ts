import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Session, SqlResult, SqlStatement, SqlValue, TableScope } from "../../../core/storage/engine.ts";
import { type LocalEngine, type LocalEngineOptions, openLocalEngine } from "../../../core/host/sqlite/engine.ts";

/** The scope of the kernel, whose statements are not checked. */
export const MAINTENANCE: TableScope = { owner: "kernel", tables: undefined };

export function statement(sql: string, scope: TableScope = MAINTENANCE): SqlStatement {
  return { sql, scope };
}

export function scopeOf(owner: string, ...tables: string[]): TableScope {
  return { owner, tables: new Set(tables) };
}

/** Returns the path of a database in a temporary directory, which is removed after the test. */
export function temporaryDatabase(): string {
  const directory = mkdtempSync(join(tmpdir(), "edgehelm-sqlite-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "x.db");
}

/** Opens an engine on a temporary file with a schema. */
export async function temporaryEngine(
  schema: readonly string[] = [],
  options: Partial<LocalEngineOptions> = {},
): Promise<LocalEngine> {
  const engine = await openLocalEngine({ path: temporaryDatabase(), ...options });
  onTestFinished(() => engine.close());
  await engine.migrate(async (session) => {
    for (const sql of schema) await session.run(statement(sql), []);
  });
  return engine;
}

export async function rowsOf(session: Session, sql: string, ...parameters: SqlValue[]): Promise<SqlResult["rows"]> {
  return (await session.run(statement(sql), parameters)).rows;
}

/** Starts a program of this folder on the same runtime and waits for its first line of output. */
export async function startProgram(name: string, ...args: string[]) {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const flags = "deno" in process.versions ? ["run", "-A", "--quiet"] : [];
  const child = spawn(process.execPath, [...flags, program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { child, line: String(line).trim() };
}
