import { type Call, type Clock, kernelErrors, type Logger } from "edgehelm";
import { type Counter, gate, type PluginMetrics } from "edgehelm/runtime";
import { ForeignRows } from "../../node_base/contract.ts";
import { errors } from "../errors.ts";
import type { ReceivedLog } from "./received.ts";

export interface IntakeLimits {
  /** The percentage of logs to keep; those on which a firewall took action are always kept. */
  readonly samplingPercent: number;
  /** The maximum number of logs accepted per second; Infinity means no limit. */
  readonly rowsPerSecond: number;
  /** The maximum number of logs waiting for the store. */
  readonly pendingRows: number;
}

/** The share of its remaining time that a call may wait for the store; the rest is for delivering the error. */
const SHARE_OF_TIME = 0.8;
const RETRY_SECONDS = 1;

interface Waiting {
  readonly rows: number;
  readonly enter: () => void;
}

/** Samples received logs, limits their rate and the number waiting for the store, and counts them by outcome. */
export class Intake {
  readonly #limits: IntakeLimits;
  readonly #clock: Clock;
  readonly #rows: Counter;
  readonly #foreign: ForeignRows;
  readonly #queue: Waiting[] = [];
  #pending = 0;
  /** The number of logs that may arrive now; negative after a batch exceeded the rate. */
  #allowance: number;
  #allowedAt: number;

  constructor(limits: IntakeLimits, clock: Clock, metrics: PluginMetrics, log: Logger) {
    this.#limits = limits;
    this.#clock = clock;
    this.#allowance = limits.rowsPerSecond;
    this.#allowedAt = clock.now();
    this.#rows = metrics.counter("rows_total", "Logs received, by outcome");
    this.#foreign = new ForeignRows({ count: (rows) => this.#rows.add(rows, { outcome: "foreign" }), log, clock });
    metrics.gauge("pending_rows", "Logs waiting for the store", () => this.#pending);
    metrics.gauge("pending_rows_limit", "Maximum number of logs waiting for the store", () => limits.pendingRows);
    metrics.gauge("sampling_percent", "Percentage of logs that are kept", () => limits.samplingPercent);
    metrics.gauge("rows_per_second_limit", "Maximum number of logs accepted per second", () => limits.rowsPerSecond);
  }

  /** Returns the logs to keep. The choice depends on the request id alone, so a retried batch gets the same result. */
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
   * Runs `append` once the number of logs waiting for the store permits it.
   *
   * @param append stores the logs and returns their number; the others are of sites that the node does not serve
   * @throws RpcError exhausted, with a time to retry after, if the rate is exceeded or the call would wait too long;
   *   then nothing is stored
   */
  async append(call: Call, rows: number, append: () => Promise<number>): Promise<void> {
    if (rows === 0) return;
    try {
      this.#requireAllowance(rows);
      await this.#enter(call, rows);
    } catch (error) {
      this.#rows.add(rows, { outcome: "refused" });
      throw error;
    }
    try {
      const kept = await append();
      this.#rows.add(kept, { outcome: "kept" });
      this.#foreign.dropped(call, rows - kept);
    } catch (error) {
      this.#rows.add(rows, { outcome: "failed" });
      throw error;
    } finally {
      this.#leave(rows);
    }
  }

  /** A batch may exceed the allowance and leave it negative, so a batch of any size is accepted eventually. */
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

  #fits(rows: number): boolean {
    return this.#pending === 0 || this.#pending + rows <= this.#limits.pendingRows;
  }

  #enter(call: Call, rows: number): void | Promise<void> {
    if (this.#queue.length > 0 || !this.#fits(rows)) return this.#wait(call, rows);
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
    for (let next = this.#queue[0]; next !== undefined && this.#fits(next.rows); next = this.#queue[0]) {
      this.#queue.shift();
      this.#pending += next.rows;
      next.enter();
    }
  }
}

/** FNV-1a with a finalizer, which spreads similar request ids evenly. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d);
  return (hash ^ hash >>> 12) >>> 0;
}
