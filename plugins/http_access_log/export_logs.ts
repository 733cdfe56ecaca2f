import { fromBinary } from "@bufbuild/protobuf";
import type { Call } from "edgehelm";
import { jsonCodec } from "edgehelm/wire";
import { everyLog } from "./query/filter.ts";
import type { LogFiles } from "./log_files.ts";
import type { LogEntry, LogStore } from "./contract/log_store.ts";
import { HTTPAccessLogSchema } from "./proto/service_http_access_log_pb.ts";

const PAGE_SIZE = 1000;
const PROGRESS_MILLISECONDS = 5000;
const codec = jsonCodec(HTTPAccessLogSchema);

/**
 * Writes a day to a file, oldest first. Each line is a log with its body in the JSON form of the API.
 *
 * @returns the number of logs written
 */
export async function exportDay(
  call: Call,
  { logs, files }: { readonly logs: LogStore; readonly files: LogFiles },
  day: bigint,
  path: string,
): Promise<number> {
  const total = (await logs.days(call)).find((one) => one.day === day)?.rows ?? 0n;
  const file = await files.create(call, path);
  let rows = 0;
  let reportedAt = Date.now();
  try {
    for await (const entries of pages(call, logs, day)) {
      call.signal.throwIfAborted();
      await file.write(entries.map((entry) => `${lineOf(entry)}\n`).join(""));
      rows += entries.length;
      if (Date.now() - reportedAt < PROGRESS_MILLISECONDS) continue;
      reportedAt = Date.now();
      const percent = total === 0n ? undefined : Math.min(99, Math.floor(rows * 100 / Number(total)));
      call.log.info("access log export progressed", { day: String(day), rows, percent });
    }
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.close();
  return rows;
}

async function* pages(call: Call, logs: LogStore, day: bigint): AsyncGenerator<readonly LogEntry[]> {
  const filter = everyLog(day);
  for (let cursor = "";;) {
    const page = { cursor, oldestFirst: true, size: PAGE_SIZE, withBodies: true };
    const { entries, stoppedAt } = await logs.list(call, filter, page);
    yield entries;
    if (entries.length < PAGE_SIZE && stoppedAt === undefined) return;
    cursor = stoppedAt ?? entries.at(-1)!.requestId;
  }
}

function lineOf({ log, requestBody }: LogEntry): string {
  return codec.encode({ ...fromBinary(HTTPAccessLogSchema, log), requestBody });
}
