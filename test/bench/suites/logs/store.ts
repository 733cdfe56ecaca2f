import { readdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import type { Call } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { systemClock } from "../../../../core/base/clock.ts";
import { SegmentStore } from "../../../../plugins/access_log_segments/host/segment_store.ts";
import type { LogStore } from "../../../../plugins/http_access_log/contract/log_store.ts";
import { QUIET } from "../../../plugins/access_log_segments/rig.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import type { Bench, BenchOptions, Measurement } from "../../suite.ts";
import { loadedStoreMeasurement } from "./loaded_store.ts";
import { queryMeasurements } from "./queries.ts";
import { DAY, LogRows, WHOLE_DAY } from "./rows.ts";

const ROWS = 1_000_000;
const BATCH = 1000;
/** Batches that are on their way at the same time. */
const AT_ONCE = 8;
/** Rows that are made at once. */
const CHUNK = 100_000;
/** The share of a day that is there before; the rest comes while it is measured. */
const SHARE_BEFORE = 0.7;

/** The store of segments in this process, with the rows of most of a day. */
export async function openLogStore({ rows = ROWS, progress }: BenchOptions): Promise<Bench> {
  const folder = new TemporaryFolder();
  const kernel = await testKernel({ plugins: [], clock: systemClock });
  const call = () => kernel.kernel.systemCall("bench");
  const directory = folder.unique("segments");
  const store = new SegmentStore({ directory }, QUIET);
  const made = new LogRows(rows / SHARE_BEFORE);
  for (let left = rows; left > 0; left -= CHUNK) {
    await appendAll(store, call, made, Math.min(left, CHUNK));
    progress.note(`${rows - Math.max(0, left - CHUNK)} of ${rows} rows are in the store`);
  }
  await store.sealAll(call());
  return {
    measurements: [
      ...await queryMeasurements(store, call),
      loadedStoreMeasurement(store, call, made),
      reopen(directory, folder, call),
    ],
    async [Symbol.asyncDispose]() {
      await store.close();
      await kernel.stop();
      folder[Symbol.dispose]();
    },
  };
}

async function appendAll(store: LogStore, call: () => Call, made: LogRows, rows: number): Promise<void> {
  const batches = Array.from({ length: Math.ceil(rows / BATCH) }, () => made.batch(BATCH)).values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const batch of batches) await store.append(call(), batch);
  }));
}

/** Opens what a process that was killed now would leave, unsealed rows included, and drops the day. */
function reopen(directory: string, folder: TemporaryFolder, call: () => Call): Measurement {
  return {
    figures: [
      { name: "store_reopen", unit: "ms" },
      { name: "store_drop_day", unit: "ms" },
      { name: "store_row_bytes", unit: "bytes" },
    ],
    async measure() {
      const left = folder.unique("left");
      await cp(directory, left, { recursive: true });
      const started = performance.now();
      const store = new SegmentStore({ directory: left }, QUIET);
      try {
        const page = { cursor: "", oldestFirst: false, size: 20, withBodies: true };
        const { entries } = await store.list(call(), WHOLE_DAY, page);
        if (entries.length < page.size) throw new Error(`${entries.length} logs after opening`);
        const opened = performance.now();
        await store.sealAll(call());
        const [day] = await store.days(call());
        const sealed = performance.now();
        await store.dropDay(call(), DAY);
        const dropped = performance.now();
        const segments = readdirSync(left).filter((name) => name.includes(String(DAY)));
        if (segments.length > 0) throw new Error(`${segments.length} files are left of the day`);
        return [opened - started, dropped - sealed, Number(day!.bytes) / Number(day!.rows)];
      } finally {
        await store.close();
      }
    },
  };
}
