import Database from "libsql";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { SqlRow } from "../../storage/engine.ts";
import { frameOf, FrameReader } from "./frames.ts";
import { sqliteCode } from "../../storage/constraint.ts";
import type { ScanReply, ScanRequest } from "./scan_message.ts";

// This file is a program: a child process that reads for its parent, and dies with it. A worker runs the statements,
// because the main thread must see the end of stdin while one runs.
if (isMainThread) relay();
else serve();

function relay(): void {
  const worker = new Worker(new URL(import.meta.url), { workerData: process.argv[2] });
  const requests = new FrameReader();
  worker.on("message", (reply: ScanReply) => process.stdout.write(frameOf(reply)));
  worker.on("error", (error) => {
    console.error(error);
    process.exit(1);
  });
  process.stdin.on("data", (chunk: Uint8Array) => {
    for (const request of requests.take(chunk)) worker.postMessage(request);
  });
  // Deno emits no "close" here
  process.stdin.on("end", () => process.kill(process.pid, "SIGKILL"));
}

function serve(): void {
  const database = new Database(`${pathToFileURL(String(workerData)).href}?mode=ro`, { timeout: 1000 });
  for (const pragma of ["query_only = 1", "cache_size = -16384"]) database.exec(`pragma ${pragma}`);
  parentPort?.on("message", (request: ScanRequest) => parentPort?.postMessage(answer(database, request)));
}

function answer(database: Database.Database, { sql, parameters, bounds }: ScanRequest): ScanReply {
  try {
    const statement = database.prepare(sql).safeIntegers();
    const columns = statement.columns().map((column) => column.name);
    const rows: SqlRow[] = [];
    let bytes = 0;
    for (const row of statement.raw().iterate(parameters) as IterableIterator<SqlRow>) {
      bytes += sizeOf(row);
      if (rows.push(row) > bounds.rows) return { tooLarge: `${bounds.rows} rows` };
      if (bytes > bounds.bytes) return { tooLarge: `${bounds.bytes} bytes` };
    }
    return { result: { columns, rows, changes: 0n } };
  } catch (error) {
    return { error: { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) } };
  }
}

function sizeOf(row: SqlRow): number {
  return row.reduce<number>((size, value) => {
    return size + (typeof value === "string" || value instanceof Uint8Array ? value.length : 8);
  }, 0);
}
