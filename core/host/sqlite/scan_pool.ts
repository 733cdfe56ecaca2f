import { kernelErrors } from "../../base/errors.ts";
import type { SqlResult, SqlValue } from "../../storage/engine.ts";
import { outageOf, unavailable } from "./outage.ts";
import { ScanChild } from "./scan_child.ts";
import type { ScanBounds, ScanReply, ScanRequest } from "./scan_message.ts";

export interface ScanLimits extends ScanBounds {
  readonly processes: number;
  /** Milliseconds after which a process without work is stopped. */
  readonly idleTime: number;
}

export const SCAN_LIMITS: ScanLimits = { processes: 2, idleTime: 30_000, rows: 10_000, bytes: 16 * 1024 * 1024 };

const MAX_TIMER = 2 ** 31 - 1;

/** Runs reads in child processes, so that the event loop turns meanwhile and a deadline can end them. */
export class ScanPool {
  readonly #path: string;
  readonly #limits: ScanLimits;
  readonly #idle = new Map<ScanChild, ReturnType<typeof setTimeout>>();
  readonly #busy = new Set<ScanChild>();
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(databasePath: string, limits: ScanLimits = SCAN_LIMITS) {
    this.#path = databasePath;
    this.#limits = limits;
  }

  /** The ids of the child processes that are alive. */
  get processIds(): readonly number[] {
    return [...this.#busy, ...this.#idle.keys()].flatMap(({ processId }) => processId ?? []);
  }

  /** @param deadline unix milliseconds, waiting for a free process included */
  async run(sql: string, parameters: readonly SqlValue[], deadline: number): Promise<SqlResult> {
    const expiry = Promise.withResolvers<never>();
    const remaining = Math.min(deadline - Date.now(), MAX_TIMER);
    const timer = setTimeout(() => expiry.reject(kernelErrors.deadline("the scan")), remaining);
    try {
      const request: ScanRequest = { sql, parameters, bounds: this.#limits };
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

  async #runByDeadline(request: ScanRequest, expiry: Promise<never>): Promise<ScanReply> {
    const child = await this.#takeChild(expiry);
    try {
      const reply = await Promise.race([child.run(request), expiry]);
      // an unfinished statement would hold back the write-ahead log
      if ("tooLarge" in reply) child.kill();
      return reply;
    } catch (error) {
      child.kill();
      throw this.#isClosed ? kernelErrors.unavailable("the database is closed") : unavailable("the scan failed", error);
    } finally {
      this.#giveBack(child);
    }
  }

  async #takeChild(expiry: Promise<never>): Promise<ScanChild> {
    while (!this.#isClosed && this.#busy.size >= this.#limits.processes) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      try {
        await Promise.race([promise, expiry]);
      } catch (error) {
        const place = this.#waiting.indexOf(resolve);
        if (place >= 0) this.#waiting.splice(place, 1);
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

  #giveBack(child: ScanChild): void {
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

function resultOf(reply: ScanReply): SqlResult {
  if ("result" in reply) return reply.result;
  if ("tooLarge" in reply) throw kernelErrors.too_large("the result of the scan", reply.tooLarge);
  const { message, code } = reply.error;
  throw outageOf(Object.assign(new Error(message), { code }));
}
