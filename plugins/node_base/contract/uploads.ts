import { type Call, type Clock, invalid, type Logger, unixSeconds } from "edgehelm";
import { addDays, dayStart, today } from "edgehelm/fields";
import { nodeCaller } from "./callers.ts";

const LOG_MILLISECONDS = 60_000;
/** Tolerance for the clocks of nodes. */
const MAX_CLOCK_SKEW = 86_400;
const DEFAULT_PAST_DAYS = 3;

/** The dependencies of {@link ForeignRows}. */
export interface ForeignRowsDeps {
  /** Counts dropped rows in a metric. */
  readonly count: (rows: number) => void;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * Counts the rows that nodes upload about what is not theirs, such as the sites of another cluster. Such rows are
 * dropped, so that the others of the upload are stored. They are logged at most once a minute, with their number.
 *
 * @example
 * ```ts
 * import { ForeignRows } from "../node_base/contract.ts";
 *
 * const dropped = metrics.counter("foreign_rows_total", "Uploaded rows about what is not the node's");
 * const foreign = new ForeignRows({ count: (rows) => dropped.add(rows), log, clock });
 * ```
 */
export class ForeignRows {
  readonly #deps: ForeignRowsDeps;
  #unlogged = 0;
  #loggedAt = -Infinity;

  constructor(deps: ForeignRowsDeps) {
    this.#deps = deps;
  }

  /** Counts rows that were dropped from an upload. */
  dropped(call: Call, rows: number): void {
    if (rows === 0) return;
    const { count, log, clock } = this.#deps;
    count(rows);
    this.#unlogged += rows;
    const now = clock.now();
    if (now - this.#loggedAt < LOG_MILLISECONDS) return;
    log.warn("dropped uploaded rows about what is not the node's", { rows: this.#unlogged, ...nodeCaller(call) });
    this.#unlogged = 0;
    this.#loggedAt = now;
  }
}

/** The unix seconds that the times of uploaded rows may have, both inclusive. */
export interface UploadTimes {
  readonly from: number;
  readonly to: number;
  /** The number of days before today. */
  readonly pastDays: number;
  /** The first day, such as 2026-01-31. */
  readonly firstDay: string;
}

/** Returns the number of past days for which uploads of nodes are accepted, from a plugin's setting `pastDays`. */
export function pastDaysSetting(value: number | undefined): number {
  return value ?? DEFAULT_PAST_DAYS;
}

/** Returns the times that an upload may have: for nodes the days since `pastDays`, for others any past day. */
export function uploadTimes(call: Call, clock: Clock, pastDays: number): UploadTimes {
  const firstDay = addDays(today(clock), -pastDays);
  const from = nodeCaller(call) !== undefined ? dayStart(clock, firstDay) : 1;
  return { from, to: Number(unixSeconds(clock)) + MAX_CLOCK_SKEW, pastDays, firstDay };
}

/**
 * Checks the time of an uploaded row.
 *
 * @param value the time as it was uploaded, for the error
 * @throws an `invalid` error that names the field
 */
export function uploadTimeField(field: string, at: number, value: bigint | string, times: UploadTimes): number {
  if (at > times.to) throw invalid(field, `must not be in the future, got ${value}`);
  if (at >= times.from) return at;
  throw invalid(field, `must be at most ${times.pastDays} days ago, on ${times.firstDay} or later, got ${value}`);
}
