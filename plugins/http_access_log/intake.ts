import { type Call, type Clock, type Counter, gate, kernelErrors, type PluginMetrics } from "edgehelm";
import { errors } from "./errors.ts";
import type { ReceivedLog } from "./received.ts";

export interface IntakeLimits {
  /** Of a hundred logs so many are kept; those on which a firewall took action always are. */
  readonly samplingPercent: number;
  /** How many logs are taken in a second; Infinity for all. */
  readonly rowsPerSecond: number;
  /** How many logs may wait for the store. */
  readonly pendingRows: number;
}

/** How much of the time that a call has left it waits for the store, so that it can still be told to come again. */
const SHARE_OF_TIME = 0.8;
const RETRY_SECONDS = 1;

interface Waiting {
  readonly rows: number;
  readonly enter: () => void;
}

/** What is taken in, and how fast. Whatever is not is counted, and its sender told, except for what is sampled away. */
export class Intake {
  readonly #limits: IntakeLimits;
  readonly #clock: Clock;
  readonly #rows: Counter;
  readonly #queue: Waiting[] = [];
  #pending = 0;
  /** How many logs may come at once now; negative when more came than a second allows. */
  #allowance: number;
  #allowedAt: number;

  constructor(limits: IntakeLimits, clock: Clock, metrics: PluginMetrics) {
    this.#limits = limits;
    this.#clock = clock;
    this.#allowance = limits.rowsPerSecond;
    this.#allowedAt = clock.now();
    this.#rows = metrics.counter("rows_total", "Logs that were sent, by what became of them");
    metrics.gauge("pending_rows", "Logs that wait for the store", () => this.#pending);
    metrics.gauge("pending_rows_limit", "How many logs may wait for the store", () => limits.pendingRows);
    metrics.gauge("sampling_percent", "Of a hundred logs so many are kept", () => limits.samplingPercent);
    metrics.gauge("rows_per_second_limit", "How many logs are taken in a second", () => limits.rowsPerSecond);
  }

  /** The logs that are kept. A log that is sent again fares as it did the first time. */
  sampled(logs: readonly ReceivedLog[]): readonly ReceivedLog[] {
    const { samplingPercent } = this.#limits;
    if (samplingPercent >= 100) return logs;
    const kept = logs.filter(({ isFirewalled, requestId }) =>
      isFirewalled || hashOf(requestId) % 100 < samplingPercent
    );
    this.#rows.add(logs.length - kept.length, { outcome: "sampled_away" });
    return kept;
  }

  /**
   * Runs `append` once there is room for so many logs.
   *
   * @throws RpcError exhausted, with when to come again, when there is none in time or there were too many in a second;
   *   nothing is kept then
   */
  async append(call: Call, rows: number, append: () => Promise<void>): Promise<void> {
    if (rows === 0) return;
    try {
      this.#requireAllowance(rows);
      await this.#enter(call, rows);
    } catch (error) {
      this.#rows.add(rows, { outcome: "refused" });
      throw error;
    }
    try {
      await append();
      this.#rows.add(rows, { outcome: "kept" });
    } catch (error) {
      this.#rows.add(rows, { outcome: "failed" });
      throw error;
    } finally {
      this.#leave(rows);
    }
  }

  /** A call may take more than is left, which those after it make up for: so a batch is never too large to come. */
  #requireAllowance(rows: number): void {
    const { rowsPerSecond } = this.#limits;
    if (rowsPerSecond === Infinity) return;
    const now = this.#clock.now();
    const regained = (now - this.#allowedAt) / 1000 * rowsPerSecond;
    this.#allowance = Math.min(rowsPerSecond, this.#allowance + regained);
    this.#allowedAt = now;
    if (this.#allowance <= 0) throw errors.too_fast(rowsPerSecond).retryAfter(-this.#allowance / rowsPerSecond);
    this.#allowance -= rows;
  }

  #hasRoom(rows: number): boolean {
    return this.#pending === 0 || this.#pending + rows <= this.#limits.pendingRows;
  }

  #enter(call: Call, rows: number): void | Promise<void> {
    if (this.#queue.length > 0 || !this.#hasRoom(rows)) return this.#wait(call, rows);
    this.#pending += rows;
  }

  async #wait(call: Call, rows: number): Promise<void> {
    const milliseconds = Math.max(0, call.deadline - Date.now()) * SHARE_OF_TIME;
    const { opened, open } = gate(Date.now() + milliseconds);
    const waiting = { rows, enter: open };
    this.#queue.push(waiting);
    call.signal.addEventListener("abort", open, { once: true });
    try {
      await opened;
    } finally {
      call.signal.removeEventListener("abort", open);
    }
    const at = this.#queue.indexOf(waiting);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    if (call.signal.aborted) throw kernelErrors.cancelled();
    throw errors.behind(this.#pending).retryAfter(RETRY_SECONDS);
  }

  #leave(rows: number): void {
    this.#pending -= rows;
    for (let next = this.#queue[0]; next !== undefined && this.#hasRoom(next.rows); next = this.#queue[0]) {
      this.#queue.shift();
      this.#pending += next.rows;
      next.enter();
    }
  }
}

/** Spreads request ids evenly (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // the last characters would else decide alone
  hash = Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d);
  return (hash ^ hash >>> 12) >>> 0;
}
