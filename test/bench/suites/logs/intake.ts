import process from "node:process";
import { definePlugin } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { systemClock } from "../../../../core/base/clock.ts";
import { SegmentStore } from "../../../../plugins/access_log_segments/host/segment_store.ts";
import type { LogEntry, LogStore } from "../../../../plugins/http_access_log/contract/log_store.ts";
import { migrations } from "../../../../plugins/http_access_log/migrations/mod.ts";
import manifest from "../../../../plugins/http_access_log/plugin.json" with { type: "json" };
import { rowLogStore } from "../../../../plugins/http_access_log/rows/store.ts";
import type { Tables } from "../../../../plugins/http_access_log/rows/store_tables.ts";
import { QUIET } from "../../../plugins/access_log_segments/rig.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import type { Bench, BenchOptions, Measurement } from "../../suite.ts";
import { duckAppender, loadDuckDB } from "./duckdb.ts";
import { LogRows } from "./rows.ts";

const ROWS = 300_000;
/** A table takes in ten times fewer rows in the same time. */
const TABLE_SHARE = 10;
const BATCH = 1000;
/** Batches that are on their way at the same time, as they come from nodes. */
const AT_ONCE = 8;
/** Rows before those that count, so that everything is compiled. */
const WARM = 20_000;

/** A store that takes rows in. */
interface Intake {
  append(batch: LogEntry[]): Promise<unknown>;
  /** Does all that is left to do for the rows. */
  finish(): Promise<unknown>;
}

/** The rows that each store takes in for a second of processor time, with everything it does for them. */
export function openIntake({ rows = ROWS, progress }: BenchOptions): Bench {
  const measurements = [
    measurement("store_intake", rows, intoSegments),
    measurement("row_table_intake", Math.ceil(rows / TABLE_SHARE), intoTable),
  ];
  const duckDB = loadDuckDB(progress);
  if (duckDB !== undefined) {
    measurements.push(measurement("duckdb_intake", rows, async (use) => {
      using folder = new TemporaryFolder();
      const duck = await duckAppender(duckDB, folder.unique("logs.duckdb"));
      await use({ append: duck.append, finish: duck.close });
    }));
  }
  return { measurements, [Symbol.asyncDispose]: () => Promise.resolve() };
}

function measurement(
  name: string,
  rows: number,
  open: (use: (intake: Intake) => Promise<void>) => Promise<void>,
): Measurement {
  return {
    figures: [{ name, unit: "per CPU s" }],
    async measure() {
      let seconds = 0;
      await open(async (intake) => void (seconds = await intakeSeconds(intake, rows)));
      return [rows / seconds];
    },
  };
}

async function intakeSeconds({ append, finish }: Intake, rows: number): Promise<number> {
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
  await finish();
  return secondsSince(before) - makingSeconds(rows);
}

/** The time it takes to make the rows, which is no part of taking them in. */
function makingSeconds(rows: number): number {
  const made = new LogRows(rows + WARM);
  const before = process.cpuUsage();
  for (let left = rows; left > 0; left -= BATCH) made.batch(BATCH);
  return secondsSince(before);
}

function secondsSince(before: ReturnType<typeof process.cpuUsage>): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function intoSegments(use: (intake: Intake) => Promise<void>): Promise<void> {
  using folder = new TemporaryFolder();
  await using edgehelm = await testKernel({ plugins: [], clock: systemClock });
  const call = () => edgehelm.kernel.systemCall("bench");
  const store = new SegmentStore({ directory: folder.unique("segments") }, QUIET);
  try {
    await use({ append: (batch) => store.append(call(), batch), finish: () => store.sealAll(call()) });
  } finally {
    await store.close();
  }
}

async function intoTable(use: (intake: Intake) => Promise<void>): Promise<void> {
  let store: LogStore | undefined;
  const plugin = definePlugin({
    manifest: { ...manifest, services: [] },
    migrations,
    setup: ({ db }) => void (store = rowLogStore(db<Tables>(), 500_000n)),
  });
  await using edgehelm = await testKernel({ plugins: [plugin], clock: systemClock });
  const call = () => edgehelm.kernel.systemCall("bench");
  await use({ append: (batch) => store!.append(call(), batch), finish: () => Promise.resolve() });
}
