import type { AccessLog, LogPage } from "./access_logs.ts";

/** Logs of a day still arrive for this time after its end. */
const LATE_MS = 5 * 60_000;

/** Loads what is newer than a log of a day; without a cursor, the day from its beginning. */
type LoadNewer = (day: string, cursor: string, signal: AbortSignal) => Promise<LogPage>;

/** Reads the logs that arrive from now on. When a day ends, in UTC, it goes on with the next one. */
export class Follower {
  readonly #load: LoadNewer;
  readonly #now: () => number;
  readonly #followsDays: boolean;
  #days: { readonly day: string; readonly cursor: string }[];

  /**
   * @param day the day that is shown, `YYYY-MM-DD`; only from today the reader goes on to the next day
   * @param cursor the newest log that is shown; empty if there is none
   */
  constructor(load: LoadNewer, day: string, cursor: string, now: () => number = Date.now) {
    this.#load = load;
    this.#now = now;
    this.#followsDays = day === utcDay(now());
    this.#days = [{ day, cursor }];
  }

  /** Returns the logs that arrived since the last time, newest first. */
  async next(signal: AbortSignal): Promise<readonly AccessLog[]> {
    const found: AccessLog[] = [];
    const days = this.#daysToAsk();
    for (const [index, { day, cursor }] of days.entries()) {
      const { logs } = await this.#load(day, cursor, signal);
      found.unshift(...logs);
      if (logs.length > 0) days[index] = { day, cursor: logs[0]!.requestId };
    }
    this.#days = days;
    return found;
  }

  #daysToAsk() {
    if (!this.#followsDays) return [...this.#days];
    const today = utcDay(this.#now());
    const late = utcDay(this.#now() - LATE_MS);
    const days = this.#days.filter(({ day }) => day >= late);
    return days.at(-1)?.day === today ? days : [...days, { day: today, cursor: "" }];
  }
}

function utcDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
