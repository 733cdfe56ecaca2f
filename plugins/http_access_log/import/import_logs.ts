import { type Call, RpcError } from "edgehelm";
import type { LogHost } from "../log_host.ts";
import type { LogStore } from "../log_store.ts";
import type { LogOwners } from "../owners.ts";
import type { ReceivedLog } from "../received.ts";
import type { LogReader } from "./reader.ts";

const BATCH = 1000;
const SHOWN_FAULTS = 5;
const PROGRESS_MILLISECONDS = 5000;

export interface ImportDeps {
  readonly logs: LogStore;
  readonly owners: LogOwners;
  readonly host: LogHost;
}

/** What an import did. Rows that were known already are among the read ones. */
export interface ImportReport {
  readonly lines: number;
  readonly read: number;
  readonly malformed: number;
  /** The first faults, each with its line. */
  readonly faults: readonly string[];
}

/** Reads a file into the store. A line that cannot be read is counted and passed over. */
export async function importLogs(
  call: Call,
  { logs, owners, host }: ImportDeps,
  reader: LogReader,
  path: string,
): Promise<ImportReport> {
  const faults: string[] = [];
  let batch: ReceivedLog[] = [];
  let [lines, read, malformed] = [0, 0, 0];
  let told = Date.now();
  async function append(): Promise<void> {
    await logs.append(call, await owners.entries(call, batch));
    read += batch.length;
    batch = [];
  }
  for await (const { text, percent } of host.lines(call, path)) {
    call.signal.throwIfAborted();
    lines++;
    if (text === "") continue;
    try {
      batch.push(reader.read(text));
    } catch (error) {
      malformed++;
      if (faults.length < SHOWN_FAULTS) faults.push(`line ${lines}: ${faultOf(error)}`);
    }
    if (batch.length < BATCH) continue;
    await append();
    if (Date.now() - told < PROGRESS_MILLISECONDS) continue;
    told = Date.now();
    call.log.info("access logs are being read", { lines, malformed, percent });
  }
  if (batch.length > 0) await append();
  return { lines, read, malformed, faults };
}

/** @throws what is no fault of the line */
function faultOf(error: unknown): string {
  if (error instanceof RpcError || error instanceof SyntaxError) return error.message;
  throw error;
}
