import type { Call } from "../../base/call.ts";
import type { Clock, Timers } from "../../base/clock.ts";
import { errorText, type Logger } from "../../base/log.ts";
import { CallSums } from "./call_sums.ts";
import type { ChainedRecords } from "./chained_records.ts";

const INTERVAL_MILLISECONDS = 60_000;

export interface AuditSumsDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly systemCall: (name: string, deadline?: number) => Call;
}

/** Writes what an instance summed up, once a minute and in one transaction. */
export class AuditSums extends CallSums {
  readonly #records: ChainedRecords;
  readonly #deps: AuditSumsDeps;
  #cancelTimer: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(records: ChainedRecords, deps: AuditSumsDeps) {
    super();
    this.#records = records;
    this.#deps = deps;
  }

  start(): void {
    this.#cancelTimer = this.#deps.timers.after(INTERVAL_MILLISECONDS, () => {
      this.#writing = this.write().then(() => this.start());
    });
  }

  /** Writes what was counted. If that fails, the log says how much was lost. */
  async write(limitMilliseconds = INTERVAL_MILLISECONDS): Promise<void> {
    const { clock, log, systemCall } = this.#deps;
    const records = this.take(clock);
    if (records.length === 0) return;
    try {
      await systemCall("audit", Date.now() + limitMilliseconds).transact(async (call) => {
        this.#records.begin(call);
        for (const record of records) await this.#records.append(call, record);
      });
    } catch (error) {
      log.error("summed calls not recorded", {
        error: errorText(error),
        calls: String(records.reduce((sum, { count }) => sum + count, 0n)),
      });
    }
  }

  /** Writes what was counted for the last time. */
  async stop(limitMilliseconds: number): Promise<void> {
    this.#cancelTimer?.();
    await this.#writing;
    this.#cancelTimer?.();
    await this.write(limitMilliseconds);
  }
}
