import type { Metrics } from "../base/metrics.ts";

/** The upper bounds of the duration buckets in seconds. One more bucket holds everything above the last. */
export const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;

/** The statistics of one operation. */
export interface Tally {
  /** The number of calls by envelope code. */
  readonly codes: Map<number, number>;
  /** The number of calls in each duration bucket. */
  readonly buckets: number[];
  /** The total duration of all calls. */
  seconds: number;
}

/** Accumulates call statistics. The metrics page formats them. */
export class CallTallies implements Pick<Metrics, "call"> {
  readonly byOperation = new Map<string, Tally>();

  call(operation: string, code: number, seconds: number): void {
    let tally = this.byOperation.get(operation);
    if (tally === undefined) {
      tally = { codes: new Map(), buckets: Array.from({ length: DURATION_BUCKETS.length + 1 }, () => 0), seconds: 0 };
      this.byOperation.set(operation, tally);
    }
    tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
    let bucket = 0;
    while (bucket < DURATION_BUCKETS.length && seconds > DURATION_BUCKETS[bucket]!) bucket++;
    tally.buckets[bucket]!++;
    tally.seconds += seconds;
  }
}
