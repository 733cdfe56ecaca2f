import type { Call } from "edgehelm";
import type { LogEntry, LogFilter, LogStore } from "../../../../plugins/http_access_log/contract/log_store.ts";
import { median, quantile } from "../../report/statistics.ts";
import type { Measurement } from "../../suite.ts";
import { asking } from "./queries.ts";
import type { LogRows } from "./rows.ts";

const ROWS_PER_SECOND = 20_000;
const ROWS = 40_000;
const BATCH = 500;
const TICK = 5;
const ASKED: readonly Partial<LogFilter>[] = [
  {},
  { hasError: true },
  { serverId: 500n },
  { host: "www.site2501.com" },
  { firewallPolicyId: 3n },
];

/** Rows that come at a steady pace while pages are asked for, and how long the event loop is held up by that. */
export function loadedStoreMeasurement(store: LogStore, call: () => Call, rows: LogRows): Measurement {
  const ask = asking(store, call);
  return {
    figures: [
      { name: "store_loaded_rows", unit: "per s" },
      { name: "store_loaded_append", unit: "ms" },
      { name: "store_loaded_list", unit: "ms" },
      { name: "store_event_loop_gap_p99", unit: "ms" },
    ],
    async measure() {
      const batches = Array.from({ length: ROWS / BATCH }, () => rows.batch(BATCH));
      const gaps = watchEventLoop();
      const pages: number[] = [];
      let isOver = false;
      const asked = (async () => {
        for (let turn = 0; !isOver; turn++) pages.push(await timed(() => ask(ASKED[turn % ASKED.length]!)));
      })();
      const started = performance.now();
      const appends = await appendAtPace(store, call, batches, started);
      const seconds = (performance.now() - started) / 1000;
      isOver = true;
      await asked;
      return [ROWS / seconds, median(appends), median(pages), quantile(gaps(), 0.99)];
    },
  };
}

/** Returns how long each append took. */
async function appendAtPace(
  store: LogStore,
  call: () => Call,
  batches: readonly LogEntry[][],
  started: number,
): Promise<number[]> {
  const appends: Promise<number>[] = [];
  for (const [index, batch] of batches.entries()) {
    const wait = started + index * BATCH / ROWS_PER_SECOND * 1000 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    appends.push(timed(() => store.append(call(), batch)));
  }
  return await Promise.all(appends);
}

/** Returns a function that ends it and returns by how many milliseconds timers came late. */
function watchEventLoop(): () => number[] {
  const gaps: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    gaps.push(Math.max(0, now - last - TICK));
    last = now;
  }, TICK);
  return () => {
    clearInterval(timer);
    return gaps;
  };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
