import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread, parentPort } from "node:worker_threads";
import { StartupError } from "../../base/startup_error.ts";
import { relay } from "../child/relay.ts";
import { errorMessage } from "../settings/files.ts";
import { Connection } from "../sqlite/connection.ts";
import { sqliteCode } from "../../storage/constraint.ts";
import { inspect } from "./inspect.ts";
import { requireFreeSpace } from "./format/private_file.ts";
import { snapshotBytes } from "./snapshot_size.ts";
import type { SnapshotMessage, SnapshotTask } from "./snapshot.ts";

// This file is a program: a child process that copies a database for its parent and ends with it.
if (isMainThread) relay(import.meta.url);
else parentPort?.on("message", (task: SnapshotTask) => run(task));

function run(task: SnapshotTask): void {
  try {
    if (task.source !== undefined) copy(task.source, task.target);
    post({ installation: inspect(task.target) });
  } catch (error) {
    post({ error: error instanceof StartupError ? error.message : `the backup failed: ${describe(error, task)}` });
  }
}

function post(message: SnapshotMessage): void {
  parentPort?.postMessage(message);
}

/** Copies the database in one read transaction, which does not block writers. */
function copy(source: string, target: string): void {
  // Not query_only, which forbids VACUUM INTO. A reader must not checkpoint the write-ahead log.
  const connection = new Connection(`${pathToFileURL(source).href}?mode=ro`, ["wal_autocheckpoint = 0"], 10_000);
  try {
    const bytes = snapshotBytes(connection);
    requireFreeSpace(dirname(target), bytes);
    post({ bytes });
    connection.exec(`vacuum into '${target.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}

function describe(error: unknown, task: SnapshotTask): string {
  const code = sqliteCode(error);
  if (code === "SQLITE_FULL") return `the disk of "${dirname(task.target)}" became full`;
  if (code?.startsWith("SQLITE_CORRUPT")) return `the database "${task.source}" is damaged: ${errorMessage(error)}`;
  return errorMessage(error);
}
