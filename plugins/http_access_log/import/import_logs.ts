import { type Call, RpcError } from "edgehelm";
import type { LogFiles } from "../log_files.ts";
import type { LogStore } from "../contract/log_store.ts";
import type { LogOwners } from "../intake/owners.ts";
import type { ReceivedLog } from "../intake/received.ts";
import type { LogReader } from "./reader.ts";

const BATCH_SIZE = 1000;
const MAX_REPORTED_ERRORS = 5;
const PROGRESS_MILLISECONDS = 5000;

export interface ImportDeps {
  readonly logs: LogStore;
  readonly owners: LogOwners;
  readonly files: LogFiles;
}

/** The result of an import. */
export interface ImportReport {
  readonly lines: number;
  /** The number of logs appended, including those that the store already had. */
  readonly imported: number;
  readonly malformed: number;
  /** The first errors, each with its line number. */
  readonly errors: readonly string[];
}

/** Imports a file into the store. Malformed lines are counted and skipped. */
export async function importLogs(
  call: Call,
  { logs, owners, files }: ImportDeps,
  reader: LogReader,
  path: string,
): Promise<ImportReport> {
  const errors: string[] = [];
  let batch: ReceivedLog[] = [];
  let [lines, imported, malformed] = [0, 0, 0];
  let reportedAt = Date.now();
  async function append(): Promise<void> {
    await logs.append(call, await owners.entries(call, batch));
    imported += batch.length;
    batch = [];
  }
  for await (const { text, percent } of files.lines(call, path)) {
    call.signal.throwIfAborted();
    lines++;
    if (text === "") continue;
    try {
      batch.push(reader.read(text));
    } catch (error) {
      malformed++;
      if (errors.length < MAX_REPORTED_ERRORS) errors.push(`line ${lines}: ${lineError(error)}`);
    }
    if (batch.length < BATCH_SIZE) continue;
    await append();
    if (Date.now() - reportedAt < PROGRESS_MILLISECONDS) continue;
    reportedAt = Date.now();
    call.log.info("access log import progressed", { lines, malformed, percent });
  }
  if (batch.length > 0) await append();
  return { lines, imported, malformed, errors };
}

/** Returns the message of an error that the line caused; rethrows any other. */
function lineError(error: unknown): string {
  if (error instanceof RpcError || error instanceof SyntaxError) return error.message;
  throw error;
}
