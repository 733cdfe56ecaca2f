import { Code, ConnectError } from "@connectrpc/connect";
import type { Api } from "../api.ts";
import { errorText, type Log } from "../log.ts";

/** The installation forgets reports after ten minutes. */
const REPEAT_MILLISECONDS = 240_000;
const RETRY_MILLISECONDS = 5000;
const TICK_MILLISECONDS = 1000;
const MAX_CALLS = 4;

interface Report {
  isUp: boolean;
  /** The time from which it is to be sent, by `performance.now()`. */
  dueAt: number;
}

/** Sends what health checks found: what went down again and again, what came up once. What fails is sent again. */
export class HealthReports {
  readonly #reports = new Map<string, Report>();
  readonly #log: Log;
  #api: Api | undefined;
  #sending: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Sends over another connection from now on. */
  use(api: Api): void {
    this.#api = api;
  }

  set(nsRecordId: string, isUp: boolean): void {
    this.#log.info(isUp ? "address up" : "address down", { nsRecordId });
    this.#reports.set(nsRecordId, { isUp, dueAt: 0 });
    this.#send();
  }

  forget(nsRecordId: string): void {
    this.#reports.delete(nsRecordId);
  }

  /** Sends what is due until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const timer = setInterval(() => this.#send(), TICK_MILLISECONDS);
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    clearInterval(timer);
    await this.#sending;
  }

  #send(): void {
    this.#sending ??= this.#sendDue().finally(() => this.#sending = undefined);
  }

  async #sendDue(): Promise<void> {
    const api = this.#api;
    if (api === undefined || api.signal.aborted) return;
    const due = [...this.#reports].filter(([, { dueAt }]) => dueAt <= performance.now());
    let next = 0;
    const sendSome = async () => {
      while (next < due.length && !api.signal.aborted) await this.#sendOne(api, ...due[next++]!);
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CALLS, due.length) }, sendSome));
  }

  async #sendOne(api: Api, id: string, report: Report): Promise<void> {
    const { isUp } = report;
    try {
      await api.records.updateNSRecordIsUp({ nsRecordId: BigInt(id), isUp }, { signal: api.signal });
    } catch (error) {
      // the record is gone, or is no longer checked, which the next round of changes brings
      const { code } = ConnectError.from(error);
      if (code !== Code.NotFound && code !== Code.AlreadyExists) {
        report.dueAt = performance.now() + RETRY_MILLISECONDS;
        if (!api.signal.aborted) this.#log.warn("no health report", { nsRecordId: id, error: errorText(error) });
        return;
      }
    }
    // it may have changed meanwhile
    if (this.#reports.get(id) !== report) return;
    if (isUp) this.#reports.delete(id);
    else report.dueAt = performance.now() + REPEAT_MILLISECONDS;
  }
}
