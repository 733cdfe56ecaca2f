import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { Counter, PluginMetrics } from "edgehelm/runtime";
import type { ChosenStore } from "./chosen_store.ts";
import type { StoredDay } from "./contract/log_store.ts";
import { dayOf, firstOf } from "./contract/request_time.ts";

const DAY = 86_400;

export interface RetentionLimits {
  /** The number of days for which logs are kept. */
  readonly days: number;
  /** The maximum disk space for logs in bytes; 0 means no limit. */
  readonly maxBytes: bigint;
}

/** The reason for deleting a day. */
type Reason = "age" | "budget" | "disk_space";

/** Deletes days that exceed the retention or the disk limits, oldest first. Disk limits never delete the newest day. */
export class RetentionJob {
  readonly #logs: ChosenStore;
  readonly #limits: RetentionLimits;
  readonly #clock: Clock;
  readonly #dropped: Counter;
  /** The days that the last run left. */
  #days: readonly StoredDay[] = [];

  constructor(logs: ChosenStore, limits: RetentionLimits, clock: Clock, metrics: PluginMetrics) {
    this.#logs = logs;
    this.#limits = limits;
    this.#clock = clock;
    this.#dropped = metrics.counter("dropped_days_total", "Days of logs deleted, by reason");
    metrics.gauge("stored_days", "Days that have logs", () => this.#days.length);
    metrics.gauge("stored_rows", "Logs in the store", () => sum(this.#days, ({ rows }) => rows));
    metrics.gauge("stored_bytes", "Disk space used by logs; 0 if the store cannot tell", () => bytesOf(this.#days));
    metrics.gauge("stored_bytes_limit", "Maximum disk space for logs; 0 means no limit", () => Number(limits.maxBytes));
  }

  async run(call: Call): Promise<void> {
    await this.#refresh(call);
    await this.#dropOld(call);
    await this.#dropWhile(call, "budget", () => Promise.resolve(this.#isOverBudget()));
    await this.#dropWhile(call, "disk_space", () => this.#isDiskFull(call));
  }

  async #refresh(call: Call): Promise<void> {
    this.#days = await this.#logs.days(call);
  }

  async #dropOld(call: Call): Promise<void> {
    const oldest = dayOf(firstOf(Number(unixSeconds(this.#clock)) - this.#limits.days * DAY));
    for (const { day } of this.#days) if (day < oldest) await this.#drop(call, day, "age");
    await this.#refresh(call);
  }

  async #dropWhile(call: Call, reason: Reason, isOverLimit: () => Promise<boolean>): Promise<void> {
    while (!call.signal.aborted && await isOverLimit()) {
      const [oldest, ...others] = this.#days;
      if (oldest === undefined || others.length === 0) {
        call.log.error("access log limit exceeded, no older day to delete", { reason });
        return;
      }
      await this.#drop(call, oldest.day, reason);
      await this.#refresh(call);
    }
  }

  async #drop(call: Call, day: bigint, reason: Reason): Promise<void> {
    const details = { day: String(day), reason };
    if (reason !== "age") call.log.warn("early access log deletion started", details);
    while (!await this.#logs.dropDay(call, day)) call.signal.throwIfAborted();
    this.#dropped.add(1, { reason });
    call.log.info("access log day deleted", details);
  }

  #isOverBudget(): boolean {
    const { maxBytes } = this.#limits;
    return maxBytes > 0n && bytesOf(this.#days) > Number(maxBytes);
  }

  /** False while the store is empty: deleting days would not free anything. */
  async #isDiskFull(call: Call): Promise<boolean> {
    return bytesOf(this.#days) > 0 && await this.#logs.lacksSpace(call);
  }
}

function bytesOf(days: readonly StoredDay[]): number {
  return sum(days, ({ bytes }) => bytes);
}

function sum(days: readonly StoredDay[], value: (day: StoredDay) => bigint): number {
  return Number(days.reduce((total, day) => total + value(day), 0n));
}
