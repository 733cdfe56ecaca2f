import { Counter, type Metric, Registry } from "prom-client";
import type { Metrics } from "../metrics.ts";

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;
const DURATION = "edgehelm_call_duration_seconds";

/** What one operation was called. */
interface Tally {
  readonly codes: Map<number, number>;
  /** How many calls fell into each bucket, and after the last one those that were longer. */
  readonly buckets: number[];
  seconds: number;
}

/** Counts plainly, and hands over in the form that Prometheus reads when somebody asks: labels are dear on every call. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #tallies = new Map<string, Tally>();

  constructor() {
    const tallies = this.#tallies;
    new Counter({
      name: "edgehelm_calls_total",
      help: "Calls that were answered, by operation and envelope code",
      labelNames: ["operation", "code"],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [operation, { codes }] of tallies) {
          for (const [code, count] of codes) this.inc({ operation, code }, count);
        }
      },
    });
    const durations = {
      name: DURATION,
      help: "How long calls took",
      type: "histogram",
      get: () => Promise.resolve({ ...durations, values: [...tallies].flatMap(durationValues), aggregator: "sum" }),
    };
    this.#registry.registerMetric(durations as unknown as Metric);
  }

  call(operation: string, code: number, seconds: number): void {
    let tally = this.#tallies.get(operation);
    if (tally === undefined) {
      tally = { codes: new Map(), buckets: Array.from({ length: BUCKETS.length + 1 }, () => 0), seconds: 0 };
      this.#tallies.set(operation, tally);
    }
    tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
    tally.buckets[bucket]!++;
    tally.seconds += seconds;
  }

  /** The text of /metrics. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** A histogram's lines: how many calls took at most so long, their sum and their count. */
function durationValues([operation, { buckets, seconds }]: [string, Tally]) {
  let count = 0;
  const cumulative = buckets.map((inBucket, index) => {
    const labels = { operation, le: BUCKETS[index] ?? "+Inf" };
    return { metricName: `${DURATION}_bucket`, labels, value: count += inBucket };
  });
  return [
    ...cumulative,
    { metricName: `${DURATION}_sum`, labels: { operation }, value: seconds },
    { metricName: `${DURATION}_count`, labels: { operation }, value: count },
  ];
}
