import { type Call, type Clock, type Counter, type PluginMetrics, unixSeconds } from "edgehelm";
import type { LogHost } from "./log_host.ts";
import type { LogStore, StoredDay } from "./log_store.ts";
import { dayOf, firstOf } from "./request_id.ts";

const DAY = 86_400;

export interface KeepingLimits {
  readonly days: number;
  /** 0 for any number. */
  readonly maxBytes: bigint;
  /** What stays free on the disk. */
  readonly minFreeBytes: bigint;
}

/** Why a day goes before its time. */
type Reason = "age" | "budget" | "disk_space";

/** Keeps logs as long as there is time and room for them; the oldest day goes first, and the newest stays. */
export class Keeper {
  readonly #logs: LogStore;
  readonly #host: LogHost | undefined;
  readonly #limits: KeepingLimits;
  readonly #clock: Clock;
  readonly #dropped: Counter;
  /** As of the last round. */
  #days: readonly StoredDay[] = [];

  constructor(
    logs: LogStore,
    host: LogHost | undefined,
    limits: KeepingLimits,
    clock: Clock,
    metrics: PluginMetrics,
  ) {
    this.#logs = logs;
    this.#host = host;
    this.#limits = limits;
    this.#clock = clock;
    this.#dropped = metrics.counter("dropped_days_total", "Days of logs that were removed, by why");
    metrics.gauge("stored_days", "Days of which there are logs", () => this.#days.length);
    metrics.gauge("stored_rows", "Logs that are there", () => sum(this.#days, ({ rows }) => rows));
    metrics.gauge(
      "stored_bytes",
      "What logs take on the disk, as far as the store can tell",
      () => bytesOf(this.#days),
    );
    metrics.gauge("stored_bytes_limit", "What logs may take on the disk; 0 is any", () => Number(limits.maxBytes));
  }

  async run(call: Call): Promise<void> {
    await this.#look(call);
    await this.#dropOld(call);
    await this.#dropWhile(call, "budget", () => Promise.resolve(this.#isOverBudget()));
    await this.#dropWhile(call, "disk_space", () => this.#isDiskFull(call));
  }

  async #look(call: Call): Promise<void> {
    this.#days = await this.#logs.days(call);
  }

  async #dropOld(call: Call): Promise<void> {
    const oldest = dayOf(firstOf(Number(unixSeconds(this.#clock)) - this.#limits.days * DAY));
    for (const { day } of this.#days) if (day < oldest) await this.#drop(call, day, "age");
    await this.#look(call);
  }

  async #dropWhile(call: Call, reason: Reason, isTooMuch: () => Promise<boolean>): Promise<void> {
    while (!call.signal.aborted && await isTooMuch()) {
      const [oldest, ...others] = this.#days;
      if (oldest === undefined || others.length === 0) {
        call.log.error("access logs have no older day left to remove", { reason });
        return;
      }
      await this.#drop(call, oldest.day, reason);
      await this.#look(call);
    }
  }

  async #drop(call: Call, day: bigint, reason: Reason): Promise<void> {
    const details = { day: String(day), reason };
    if (reason !== "age") call.log.warn("a day of access logs is removed before its time", details);
    while (!await this.#logs.dropDay(call, day)) call.signal.throwIfAborted();
    this.#dropped.add(1, { reason });
    call.log.info("a day of access logs is gone", details);
  }

  #isOverBudget(): boolean {
    const { maxBytes } = this.#limits;
    return maxBytes > 0n && bytesOf(this.#days) > Number(maxBytes);
  }

  /** A store that cannot tell what it takes gives nothing back to the disk either. */
  async #isDiskFull(call: Call): Promise<boolean> {
    if (this.#host === undefined || bytesOf(this.#days) === 0) return false;
    return (await this.#host.space(call)).freeBytes < this.#limits.minFreeBytes;
  }
}

function bytesOf(days: readonly StoredDay[]): number {
  return sum(days, ({ bytes }) => bytes);
}

function sum(days: readonly StoredDay[], value: (day: StoredDay) => bigint): number {
  return Number(days.reduce((total, day) => total + value(day), 0n));
}
