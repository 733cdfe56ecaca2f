import type { Metrics } from "../base/metrics.ts";

/** The upper ends of the buckets that durations fall into, in seconds; one more takes what was longer. */
export const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;

/** How often one operation was called, and how it went. */
export interface Tally {
  readonly codes: Map<number, number>;
  /** How many calls fell into each bucket. */
  readonly buckets: number[];
  seconds: number;
}

/** Counts calls plainly; whoever is asked for them puts them into words. */
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
