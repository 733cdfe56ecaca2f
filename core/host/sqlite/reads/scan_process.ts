import Database from "libsql";
import { pathToFileURL } from "node:url";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { relay } from "../../child/relay.ts";
import type { SqlRow } from "../../../storage/engine.ts";
import { sqliteCode } from "../../../storage/constraint.ts";
import { resultSize, type ScanRequest, type ScanResponse } from "./scan_message.ts";

// This file is a program: a child process that runs scans for its parent and exits with it.
if (isMainThread) relay(import.meta.url);
else serve();

function serve(): void {
  const database = new Database(`${pathToFileURL(String(workerData)).href}?mode=ro`, { timeout: 1000 });
  for (const pragma of ["query_only = 1", "cache_size = -16384"]) database.exec(`pragma ${pragma}`);
  parentPort?.on("message", (request: ScanRequest) => parentPort?.postMessage(respond(database, request)));
}

function respond(database: Database.Database, { sql, parameters, limits }: ScanRequest): ScanResponse {
  try {
    const statement = database.prepare(sql).safeIntegers();
    const columns = statement.columns().map((column) => column.name);
    const rows: SqlRow[] = [];
    let bytes = 0;
    for (const row of statement.raw().iterate(parameters) as IterableIterator<SqlRow>) {
      bytes += resultSize(row);
      if (rows.push(row) > limits.rows) return { tooLarge: `${limits.rows} rows` };
      if (bytes > limits.bytes) return { tooLarge: `${limits.bytes} bytes` };
    }
    return { result: { columns, rows, changes: 0n } };
  } catch (error) {
    return { error: { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) } };
  }
}
