import type { Call } from "edgehelm";
import type { LogEntry, LogFilter, LogStore } from "../../plugins/http_access_log/log_store.ts";
import { type Ask, asking } from "./logs_queries.ts";
import type { LogRows } from "./logs_rows.ts";
import { median, rounded } from "./statistics.ts";

const ROWS_PER_SECOND = 20_000;
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
export class LoadedStore {
  readonly #store: LogStore;
  readonly #call: () => Call;
  readonly #batches: LogEntry[][] = [];
  readonly #made: LogRows;
  readonly #ask: Ask;

  constructor(store: LogStore, call: () => Call, made: LogRows) {
    this.#store = store;
    this.#call = call;
    this.#made = made;
    this.#ask = asking(store, call);
  }

  async run(rows: number): Promise<Record<string, number>> {
    for (let left = rows; left > 0; left -= BATCH) this.#batches.push(this.#made.batch(Math.min(BATCH, left)));
    // what making them left behind is cleared away before
    await new Promise((resolve) => setTimeout(resolve, 500));
    const [gaps, appends, pages]: [number[], number[], number[]] = [[], [], []];
    let last = performance.now();
    const ticks = setInterval(() => {
      const now = performance.now();
      gaps.push(now - last - TICK);
      last = now;
    }, TICK);
    const start = performance.now();
    let isOver = false;
    const asking = (async () => {
      for (let turn = 0; !isOver; turn++) pages.push(await timed(() => this.#ask(ASKED[turn % ASKED.length]!)));
    })();
    await this.#append(start, appends);
    const seconds = (performance.now() - start) / 1000;
    isOver = true;
    await asking;
    clearInterval(ticks);
    gaps.sort((one, other) => one - other);
    return {
      loaded_rows_per_s: rounded(rows / seconds, 0),
      loaded_append_p50_ms: rounded(median(appends)),
      loaded_list_p50_ms: rounded(median(pages)),
      event_loop_gap_ms: rounded(Math.max(gaps.at(-1) ?? 0, 0)),
      event_loop_gap_p99_ms: rounded(Math.max(gaps[Math.floor(gaps.length * 0.99)] ?? 0, 0)),
    };
  }

  async #append(start: number, times: number[]): Promise<void> {
    const waiting: Promise<void>[] = [];
    for (const [index, batch] of this.#batches.entries()) {
      const due = start + index * BATCH / ROWS_PER_SECOND * 1000;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      waiting.push(timed(() => this.#store.append(this.#call(), batch)).then((time) => void times.push(time)));
    }
    await Promise.all(waiting);
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
