import { readdirSync, statSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Call } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { systemClock } from "../../core/base/clock.ts";
import { SegmentStore } from "../../plugins/http_access_log/host/segments/segment_store.ts";
import type { LogEntry, LogStore } from "../../plugins/http_access_log/log_store.ts";
import { LoadedStore } from "./logs_load.ts";
import { measureQueries } from "./logs_queries.ts";
import { DAY, LogRows, WHOLE_DAY } from "./logs_rows.ts";
import { QUIET } from "../plugins/http_access_log/segments_rig.ts";
import { rounded } from "./statistics.ts";

const BATCH = 1000;
/** Batches that are on their way at the same time. */
const AT_ONCE = 8;
/** Rows that are made before they are measured going in. */
const CHUNK = 131_072;

/** The figures of the store itself. */
export async function benchLogStore(
  rounds: number,
  milliseconds: number,
  rows: number,
): Promise<Record<string, number>> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-bench-logs-"));
  const edgehelm = await testKernel({ plugins: [], clock: systemClock });
  const call = () => edgehelm.kernel.systemCall("bench");
  const store = new SegmentStore({ directory }, QUIET);
  try {
    const made = new LogRows(rows);
    const live = Math.min(Math.floor(rows / 10), 20 * Math.max(milliseconds, 5000));
    const bulk = await fill(store, call, made, rows - live, directory);
    const queries = await measureQueries(store, call, rounds * 3);
    const loaded = await new LoadedStore(store, call, made).run(live);
    const reopenTime = await reopen(directory, call);
    await store.sealAll(call());
    const [day] = await store.days(call());
    if (Number(day!.rows) !== rows) throw new Error(`${rows} rows went in, and ${day!.rows} are there`);
    const start = performance.now();
    await store.dropDay(call(), DAY);
    const dropTime = performance.now() - start;
    return {
      rows,
      row_bytes: rounded(bulk.rawBytes / (rows - live), 0),
      ingest_rows_per_cpu_s: rounded((rows - live) / bulk.cpuSeconds, 0),
      bytes_per_row: rounded(Number(day!.bytes) / rows, 1),
      ...queries,
      ...loaded,
      reopen_ms: rounded(reopenTime, 0),
      drop_day_ms: rounded(dropTime, 1),
      bytes_after_drop: bytesIn(directory),
      rss_mb: bulk.residentMegabytes,
    };
  } finally {
    await store.close();
    await edgehelm.stop();
    await rm(directory, { recursive: true, force: true });
    await rm(edgehelm.directory, { recursive: true, force: true });
  }
}

/** Opens what a process that was killed now would leave, what is not sealed included. */
async function reopen(directory: string, call: () => Call): Promise<number> {
  const left = await mkdtemp(join(tmpdir(), "edgehelm-bench-left-"));
  try {
    await cp(directory, left, { recursive: true });
    const start = performance.now();
    const store = new SegmentStore({ directory: left }, QUIET);
    try {
      const page = { cursor: "", oldestFirst: false, size: 20, withBodies: true };
      const { entries } = await store.list(call(), WHOLE_DAY, page);
      if (entries.length < page.size) throw new Error(`${entries.length} logs after opening`);
      return performance.now() - start;
    } finally {
      await store.close();
    }
  } finally {
    await rm(left, { recursive: true, force: true });
  }
}

interface Filled {
  readonly cpuSeconds: number;
  readonly rawBytes: number;
  /** The most that the process took when what was made beforehand is left out, roughly. */
  readonly residentMegabytes: number;
}

/** Takes rows in until all are sealed; making them does not count. */
async function fill(
  store: SegmentStore,
  call: () => Call,
  made: LogRows,
  count: number,
  directory: string,
): Promise<Filled> {
  let [cpuSeconds, rawBytes, residentMegabytes] = [0, 0, 0];
  for (let left = count; left > 0;) {
    const batches: LogEntry[][] = [];
    for (let chunk = Math.min(left, CHUNK); chunk > 0; chunk -= BATCH) batches.push(made.batch(Math.min(chunk, BATCH)));
    const chunkBytes = batches.flat().reduce((sum, { log, requestBody }) => sum + log.length + requestBody.length, 0);
    rawBytes += chunkBytes;
    left -= Math.min(left, CHUNK);
    const before = process.cpuUsage();
    await appendAll(store, call, batches);
    if (left <= 0) await store.sealAll(call());
    // what is taken in is paid for only when it is sealed
    while (journalsIn(directory) > 1) await new Promise((resolve) => setTimeout(resolve, 20));
    const { user, system } = process.cpuUsage(before);
    cpuSeconds += (user + system) / 1e6;
    const resident = (process.memoryUsage().rss - chunkBytes) / 1e6;
    residentMegabytes = Math.max(residentMegabytes, rounded(resident, 0));
    if (left % (CHUNK * 4) < CHUNK) console.error(`${count - left} of ${count} rows, ${rounded(cpuSeconds)} s of CPU`);
  }
  return { cpuSeconds, rawBytes, residentMegabytes };
}

async function appendAll(store: LogStore, call: () => Call, batches: readonly LogEntry[][]): Promise<void> {
  const turn = batches.values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const batch of turn) await store.append(call(), batch);
  }));
}

function journalsIn(directory: string): number {
  return readdirSync(directory).filter((name) => name.startsWith("journal-")).length;
}

function bytesIn(directory: string): number {
  return readdirSync(directory, { recursive: true }).reduce((sum, name) => {
    return sum + statSync(join(directory, String(name))).size;
  }, 0);
}
