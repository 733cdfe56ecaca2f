import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { StartupError } from "../../base/startup_error.ts";
import { sizeText, wordCause } from "../settings/files.ts";
import { Connection } from "../sqlite/connection.ts";
import { sqliteCode } from "../../storage/constraint.ts";
import { inspect } from "./inspect.ts";
import type { SnapshotMessage, SnapshotTask } from "./snapshot.ts";

/** What the file system may take for itself beyond the pages. */
const SPARE_BYTES = 1024 * 1024;

const task = workerData as SnapshotTask;
try {
  copy(task);
  tell({ inspected: inspect(task.target) });
} catch (error) {
  tell({ fault: error instanceof StartupError ? error.message : `the backup failed: ${wordsFor(error)}` });
}

function tell(message: SnapshotMessage): void {
  parentPort?.postMessage(message);
}

/** A reader of the live database, as other processes of its server are: writers go on, and it sees one moment. */
function copy({ source, target }: SnapshotTask): void {
  // Not query_only, which forbids VACUUM INTO; and a reader has no business to move the write-ahead log.
  const connection = new Connection(`${pathToFileURL(source).href}?mode=ro`, ["wal_autocheckpoint = 0"], 10_000);
  try {
    const bytes = neededBytes(connection);
    requireRoom(dirname(target), bytes);
    tell({ bytes });
    connection.exec(`vacuum into '${target.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}

function neededBytes(connection: Connection): number {
  const [pages, free, size] = ["page_count", "freelist_count", "page_size"].map((name) =>
    Number(connection.query(`pragma ${name}`)[0]?.[0])
  );
  return (pages! - free!) * size!;
}

function requireRoom(directory: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  const room = bavail * bsize;
  if (room >= bytes + SPARE_BYTES) return;
  throw new StartupError(
    `the backup needs about ${sizeText(bytes + SPARE_BYTES)}; the disk of "${directory}" has room for ${
      sizeText(room)
    }`,
  );
}

function wordsFor(error: unknown): string {
  const code = sqliteCode(error);
  if (code === "SQLITE_FULL") return `the disk of "${dirname(task.target)}" became full`;
  if (code?.startsWith("SQLITE_CORRUPT")) return `the database "${task.source}" is damaged: ${wordCause(error)}`;
  return wordCause(error);
}
