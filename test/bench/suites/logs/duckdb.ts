import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logFields } from "../../../../plugins/http_access_log/contract/log_fields.ts";
import type { Progress } from "../../report/progress.ts";
import type { LogEntry } from "../../../../plugins/http_access_log/contract/log_store.ts";

const PACKAGE = "@duckdb/node-api";
const VERSION = "1.5.6-r.1";
/** Outside of the project, which does without it. */
const FOLDER = join(tmpdir(), `edgehelm-duckdb-${VERSION}`);
/** Vectors hold no more. */
const MAX_ROWS = 2048;

/** The part of DuckDB's module that is used. */
export interface DuckDB {
  readonly DuckDBInstance: { create(path: string, options: Record<string, string>): Promise<DuckInstance> };
  readonly DuckDBDataChunk: { create(types: readonly unknown[], rows: number): DuckChunk };
  readonly DuckDBBlobValue: new (bytes: Uint8Array) => unknown;
  readonly VARCHAR: unknown;
  readonly BIGINT: unknown;
  readonly BLOB: unknown;
}
interface DuckInstance {
  connect(): Promise<DuckConnection>;
  closeSync(): void;
}
interface DuckConnection {
  run(sql: string): Promise<unknown>;
  createAppender(table: string): Promise<DuckAppender>;
  closeSync(): void;
}
interface DuckAppender {
  appendDataChunk(chunk: DuckChunk): void;
  flushSync(): void;
  closeSync(): void;
}
interface DuckChunk {
  setColumns(columns: readonly (readonly unknown[])[]): void;
}

/** All that a list can filter by: a store for the same queries must keep the same. */
const TEXTS = [
  "requestId",
  "ipKey",
  "remoteAddr",
  "host",
  "scheme",
  "proto",
  "requestMethod",
  "requestURI",
  "requestPath",
  "referer",
  "userAgent",
] as const;
const NUMBERS = [
  "serverId",
  "nodeId",
  "status",
  "firewallPolicyId",
  "firewallRuleGroupId",
  "firewallRuleSetId",
] as const;
const OF_ENTRIES = ["userId", "nodeClusterId"] as const;

/**
 * Takes logs into a DuckDB table as its measurements found best: chunks of an appender, bodies compressed with zstd, a
 * flush for each batch.
 */
export async function duckAppender(duck: DuckDB, path: string) {
  const options = { threads: "2", memory_limit: "1GB", storage_compatibility_version: "latest" };
  const instance = await duck.DuckDBInstance.create(path, options);
  const connection = await instance.connect();
  await connection.run("set checkpoint_threshold = '200MB'");
  const numbers = [...NUMBERS, ...OF_ENTRIES];
  const columns = [...[...TEXTS, "tags"].map((name) => `${name} varchar`), ...numbers.map((name) => `${name} bigint`)];
  // every store keeps a request id once
  const unique = "unique (requestId)";
  await connection.run(`create table logs (${columns.join(", ")}, log blob using compression zstd, ${unique})`);
  const appender = await connection.createAppender("logs");
  const types = [...TEXTS.map(() => duck.VARCHAR), duck.VARCHAR, ...numbers.map(() => duck.BIGINT), duck.BLOB];
  return {
    async append(batch: LogEntry[]): Promise<void> {
      for (let from = 0; from < batch.length; from += MAX_ROWS) {
        const entries = batch.slice(from, from + MAX_ROWS);
        const chunk = duck.DuckDBDataChunk.create(types, entries.length);
        chunk.setColumns(columnsOf(entries, (bytes) => new duck.DuckDBBlobValue(bytes)));
        appender.appendDataChunk(chunk);
      }
      appender.flushSync();
      // native memory is freed between turns
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    async close(): Promise<void> {
      appender.closeSync();
      await connection.run("checkpoint");
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Installs DuckDB; undefined, with a note, where that fails. */
export function loadDuckDB(progress: Progress): DuckDB | undefined {
  try {
    const module = join(FOLDER, "node_modules", PACKAGE);
    if (!existsSync(module)) {
      const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", FOLDER];
      execFileSync("npm", [...words, `${PACKAGE}@${VERSION}`], { stdio: ["ignore", "ignore", "inherit"] });
    }
    return createRequire(join(FOLDER, "index.js"))(module) as DuckDB;
  } catch (error) {
    progress.note(`skipped duckdb_intake, since ${PACKAGE} ${VERSION} cannot be installed: ${error}`);
    return undefined;
  }
}

function columnsOf(entries: readonly LogEntry[], blob: (bytes: Uint8Array) => unknown): unknown[][] {
  const fields = entries.map(({ log }) => logFields(log));
  return [
    ...TEXTS.map((name) => fields.map((field) => field[name])),
    fields.map(({ tags }) => JSON.stringify(tags)),
    ...NUMBERS.map((name) => fields.map((field) => BigInt(field[name]))),
    ...OF_ENTRIES.map((name) => entries.map((entry) => entry[name])),
    entries.map(({ log }) => blob(log)),
  ];
}
