import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openLocalEngine } from "../../../core/host/sqlite/engine.ts";
import type {
  Session,
  SqlResult,
  SqlStatement,
  SqlValue,
  StorageEngine,
  TableScope,
} from "../../../core/storage/engine.ts";
import { openRemoteEngine, type RemoteEngine, type RemoteEngineOptions } from "../../../core/storage/remote/engine.ts";
import { Sqld, sqldRuns } from "../../servers/sqld.ts";

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Calls `close` after all tests of the file. Needed because a hook that a test or hook registers would never run. */
function afterFile(close: () => Promise<unknown>): void {
  closers.push(close);
}

/** A kind of engine on which the suite runs. */
export interface EngineKind {
  readonly name: string;
  /** Opens an empty database that is closed after all tests of the file. */
  open(): Promise<StorageEngine>;
}

const local: EngineKind = {
  name: "a local file",
  async open() {
    const engine = await openLocalEngine({ path: join(await temporaryDirectory(), "x.db") });
    afterFile(() => engine.close());
    return engine;
  },
};

const remote: EngineKind = {
  name: "a libSQL server",
  async open() {
    const sqld = await temporarySqld();
    return await openedRemote({ url: sqld.url });
  },
};

export const ENGINES: readonly EngineKind[] = sqldRuns() ? [local, remote] : [local];

/** The scope of maintenance by the kernel, which is not checked. */
const MAINTENANCE: TableScope = { owner: "kernel", tables: undefined };

export function statement(sql: string, scope: TableScope = MAINTENANCE): SqlStatement {
  return { sql, scope };
}

export function scopeOf(owner: string, ...tables: string[]): TableScope {
  return { owner, tables: new Set(tables) };
}

export async function rowsOf(session: Session, sql: string, ...parameters: SqlValue[]): Promise<SqlResult["rows"]> {
  return (await session.run(statement(sql), parameters)).rows;
}

export async function makeSchema(engine: StorageEngine, ...schema: readonly string[]): Promise<void> {
  await engine.migrate(async (session) => {
    for (const sql of schema) await session.run(statement(sql), []);
  });
}

/** The limits of engines whose round trips are counted: no schema checks in the background. */
export const COUNTED = { schemaTime: Infinity };

/** Starts a server that runs until all tests of the file have finished. */
export async function temporarySqld(args: readonly string[] = []): Promise<Sqld> {
  const sqld = await Sqld.start(join(await temporaryDirectory(), "sqld"), args);
  afterFile(() => sqld.kill());
  return sqld;
}

export async function openedRemote(options: RemoteEngineOptions): Promise<RemoteEngine> {
  const engine = await openRemoteEngine(options);
  afterFile(() => engine.close());
  return engine;
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-storage-"));
  afterFile(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
