import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { definePlugin } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { systemClock } from "../../core/base/clock.ts";
import { SegmentStore } from "../../plugins/http_access_log/host/segments/segment_store.ts";
import type { LogEntry, LogStore } from "../../plugins/http_access_log/log_store.ts";
import { migrations } from "../../plugins/http_access_log/migrations/mod.ts";
import manifest from "../../plugins/http_access_log/plugin.json" with { type: "json" };
import type { Tables } from "../../plugins/http_access_log/rows/store_tables.ts";
import { rowLogStore } from "../../plugins/http_access_log/rows/store.ts";
import { duckAppender } from "./logs_duckdb.ts";
import { LogRows } from "./logs_rows.ts";
import { QUIET } from "../plugins/http_access_log/segments_rig.ts";
import { rounded } from "./statistics.ts";

const BATCH = 1000;
/** Batches that are on their way at the same time, as they come from nodes. */
const AT_ONCE = 8;
/** Rows before those that count, so that everything is compiled. */
const WARM = 20_000;

/** Of which a table takes in ten times fewer in the same time. */
const TABLE_ROWS = 200_000;

/**
 * How many rows each takes in for a second of CPU, everything it does for them included: with few rows a peer gets away
 * without most of its checkpoints.
 */
export async function benchLogPeers(rows: number): Promise<Record<string, number>> {
  const segments = await segmentRate(rows);
  const table = await rowTableRate(Math.min(rows, TABLE_ROWS));
  const duck = await duckRate(rows);
  const figures: Record<string, number> = {
    peer_rows: rows,
    segments_rows_per_cpu_s: rounded(segments, 0),
    row_table_rows_per_cpu_s: rounded(table, 0),
    ingest_vs_row_table: rounded(segments / table),
  };
  if (duck !== undefined) {
    figures["duckdb_rows_per_cpu_s"] = rounded(duck, 0);
    figures["ingest_vs_duckdb"] = rounded(segments / duck);
  }
  return figures;
}

async function rate(rows: number, append: (batch: LogEntry[]) => Promise<unknown>, end: () => Promise<unknown>) {
  const made = new LogRows(rows + WARM);
  for (let left = WARM; left > 0; left -= BATCH) await append(made.batch(BATCH));
  const before = process.cpuUsage();
  let left = rows;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (; left > 0;) {
      left -= BATCH;
      await append(made.batch(BATCH));
    }
  }));
  await end();
  return rows / (secondsSince(before) - makingTime(rows));
}

/** What it takes to make so many rows, which is no part of taking them in. */
function makingTime(rows: number): number {
  const made = new LogRows(rows + WARM);
  const before = process.cpuUsage();
  for (let left = rows; left > 0; left -= BATCH) made.batch(BATCH);
  return secondsSince(before);
}

function secondsSince(before: ReturnType<typeof process.cpuUsage>): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function segmentRate(rows: number): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-bench-logs-"));
  const edgehelm = await testKernel({ plugins: [], clock: systemClock });
  const call = () => edgehelm.kernel.systemCall("bench");
  const store = new SegmentStore({ directory }, QUIET);
  try {
    return await rate(rows, (batch) => store.append(call(), batch), () => store.sealAll(call()));
  } finally {
    await store.close();
    await edgehelm.stop();
    await rm(directory, { recursive: true, force: true });
    await rm(edgehelm.directory, { recursive: true, force: true });
  }
}

async function rowTableRate(rows: number): Promise<number> {
  let store: LogStore | undefined;
  const plugin = definePlugin({
    manifest: { ...manifest, services: [] },
    migrations,
    setup: ({ db }) => void (store = rowLogStore(db<Tables>(), 500_000n)),
  });
  await using edgehelm = await testKernel({ plugins: [plugin], clock: systemClock });
  const call = () => edgehelm.kernel.systemCall("bench");
  return await rate(rows, (batch) => store!.append(call(), batch), async () => {});
}

async function duckRate(rows: number): Promise<number | undefined> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-bench-duckdb-"));
  try {
    const duck = await duckAppender(join(directory, "logs.duckdb"));
    if (duck === undefined) return undefined;
    const result = await rate(rows, duck.append, duck.close);
    if ((await readdir(directory)).length === 0) throw new Error("DuckDB wrote nothing");
    return result;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
