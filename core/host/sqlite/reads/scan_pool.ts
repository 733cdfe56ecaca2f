import { MAX_TIMER } from "../../../base/clock.ts";
import { kernelErrors } from "../../../base/errors.ts";
import type { SqlResult, SqlValue } from "../../../storage/engine.ts";
import { errorMessage } from "../../settings/files.ts";
import { toUnavailable, unavailable } from "../driver/outage.ts";
import { ScanChild } from "./scan_child.ts";
import { type ScanRequest, type ScanResponse, type ScanResultLimits, shownSql } from "./scan_message.ts";

export interface ScanLimits extends ScanResultLimits {
  readonly processes: number;
  /** The time in milliseconds after which an idle process is stopped. */
  readonly idleTime: number;
}

export const SCAN_LIMITS: ScanLimits = { processes: 2, idleTime: 30_000, rows: 10_000, bytes: 16 * 1024 * 1024 };

/** Runs long reads in child processes, which do not block the event loop and can be killed at their deadline. */
export class ScanPool {
  readonly #path: string;
  readonly #limits: ScanLimits;
  readonly #report: (text: string) => void;
  readonly #idle = new Map<ScanChild, ReturnType<typeof setTimeout>>();
  readonly #busy = new Set<ScanChild>();
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;

  /** @param report called when a process is ended because it hangs, or has ended by itself */
  constructor(databasePath: string, limits: ScanLimits = SCAN_LIMITS, report: (text: string) => void = () => {}) {
    this.#path = databasePath;
    this.#limits = limits;
    this.#report = report;
  }

  /** The ids of the running child processes. */
  get processIds(): readonly number[] {
    return [...this.#busy, ...this.#idle.keys()].flatMap(({ processId }) => processId ?? []);
  }

  /**
   * Runs a statement in a free child process.
   *
   * @param deadline in unix milliseconds, including the wait for a free process
   */
  async run(sql: string, parameters: readonly SqlValue[], deadline: number): Promise<SqlResult> {
    const expiry = Promise.withResolvers<never>();
    const remaining = Math.min(Math.max(0, deadline - Date.now()), MAX_TIMER);
    const timer = setTimeout(() => expiry.reject(kernelErrors.deadline("the scan")), remaining);
    try {
      const request: ScanRequest = { sql, parameters, limits: this.#limits };
      return resultOf(await this.#runByDeadline(request, expiry.promise));
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const child of [...this.#busy, ...this.#idle.keys()]) child.kill();
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async #runByDeadline(request: ScanRequest, expiry: Promise<never>): Promise<ScanResponse> {
    const child = await this.#acquire(expiry);
    try {
      const response = await Promise.race([child.run(request), expiry]);
      // An unfinished statement would prevent checkpoints of the write-ahead log.
      if ("tooLarge" in response) child.kill();
      return response;
    } catch (error) {
      child.kill();
      if (this.#isClosed) throw kernelErrors.unavailable("the database is closed");
      this.#report(`the scan process ${child.processId} is replaced: ${errorMessage(error)}: ${shownSql(request.sql)}`);
      throw unavailable("the scan failed", error);
    } finally {
      this.#release(child);
    }
  }

  async #acquire(expiry: Promise<never>): Promise<ScanChild> {
    while (!this.#isClosed && this.#busy.size >= this.#limits.processes) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      try {
        await Promise.race([promise, expiry]);
      } catch (error) {
        const index = this.#waiting.indexOf(resolve);
        if (index >= 0) this.#waiting.splice(index, 1);
        else this.#waiting.shift()?.();
        throw error;
      }
    }
    if (this.#isClosed) throw kernelErrors.unavailable("the database is closed");
    const child = this.#takeIdle() ?? new ScanChild(this.#path);
    this.#busy.add(child);
    return child;
  }

  #takeIdle(): ScanChild | undefined {
    for (const [child, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(child);
      if (child.isAlive) return child;
    }
    return undefined;
  }

  #release(child: ScanChild): void {
    this.#busy.delete(child);
    if (child.isAlive && !this.#isClosed) {
      const timer = setTimeout(() => this.#stopIdle(child), this.#limits.idleTime);
      timer.unref();
      this.#idle.set(child, timer);
    }
    this.#waiting.shift()?.();
  }

  #stopIdle(child: ScanChild): void {
    this.#idle.delete(child);
    child.kill();
  }
}

function resultOf(response: ScanResponse): SqlResult {
  if ("result" in response) return response.result;
  if ("tooLarge" in response) throw kernelErrors.too_large("the result of the scan", response.tooLarge);
  const { message, code } = response.error;
  throw toUnavailable(Object.assign(new Error(message), { code }));
}
