import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Session, SqlResult, SqlStatement, SqlValue, TableScope } from "../../../core/storage/engine.ts";
import { type LocalEngine, type LocalEngineOptions, openLocalEngine } from "../../../core/host/sqlite/engine.ts";

/** The kernel's own upkeep: unchecked. */
export const UPKEEP: TableScope = { owner: "kernel", tables: undefined };

export function statement(sql: string, scope: TableScope = UPKEEP): SqlStatement {
  return { sql, scope };
}

export function scopeOf(owner: string, ...tables: string[]): TableScope {
  return { owner, tables: new Set(tables) };
}

/** The path of a database in a directory that goes with the test. */
export function temporaryDatabase(): string {
  const directory = mkdtempSync(join(tmpdir(), "edgehelm-sqlite-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "x.db");
}

/** An engine over a temporary file, with a schema. */
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
