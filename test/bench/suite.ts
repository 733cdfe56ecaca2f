import type { Figure } from "./report/figure.ts";
import type { Progress } from "./report/progress.ts";

/** One thing that is measured in every round. */
export interface Measurement {
  readonly figures: readonly Figure[];
  /** Measures once; returns one value for each figure, in the same order. */
  measure(): Promise<readonly number[]>;
  /** Replaces the unmeasured runs before the first one that counts. */
  warmUp?(): Promise<void>;
}

/** A server is as fast as it gets after about two seconds of load. */
const WARM_UP_RUNS = 2;

/** Lets a server that was started just now compile what the measurement needs. */
export async function warmUp(measurement: Measurement): Promise<void> {
  if (measurement.warmUp !== undefined) return await measurement.warmUp();
  for (let run = 0; run < WARM_UP_RUNS; run++) await measurement.measure();
}

/** A suite that is ready to be measured, with all the servers and data it needs. */
export interface Bench extends AsyncDisposable {
  readonly measurements: readonly Measurement[];
  /** Starts the servers of one round; each measurement is then warmed up before it counts. */
  begin?(): Promise<void>;
  /** Stops the servers of one round. */
  end?(): Promise<void>;
}

export interface BenchOptions {
  /** The folder of the checkout whose server is measured. */
  readonly root: string;
  /** Seconds of one load. */
  readonly seconds: number;
  /** Rows to fill a database or store with; each suite has its own default. */
  readonly rows: number | undefined;
  readonly progress: Progress;
}

/** A group of figures that are measured together. */
export interface Suite {
  open(options: BenchOptions): Promise<Bench>;
  /** Opens the figures of one commit that two commits can be compared by. */
  openForComparison?(options: BenchOptions): Promise<Bench>;
}
