import { CallTallies, DURATION_BUCKETS } from "../call_tallies.ts";

/** Counts the calls of one isolate, in the form that Prometheus reads: its library needs a machine. */
export class EdgeMetrics extends CallTallies {
  /** The text of /metrics. */
  text(inFlight: number): string {
    return [
      "# HELP edgehelm_calls_total Calls that were answered, by operation and envelope code",
      "# TYPE edgehelm_calls_total counter",
      ...this.#counts(),
      "# HELP edgehelm_call_duration_seconds How long calls took",
      "# TYPE edgehelm_call_duration_seconds histogram",
      ...this.#durations(),
      "# HELP edgehelm_calls_in_flight Calls that are not answered yet",
      "# TYPE edgehelm_calls_in_flight gauge",
      `edgehelm_calls_in_flight ${inFlight}`,
      "",
    ].join("\n");
  }

  *#counts(): Generator<string> {
    for (const [operation, { codes }] of this.byOperation) {
      for (const [code, count] of codes) {
        yield `edgehelm_calls_total{operation="${operation}",code="${code}"} ${count}`;
      }
    }
  }

  *#durations(): Generator<string> {
    for (const [operation, { buckets, seconds }] of this.byOperation) {
      let count = 0;
      for (const [index, inBucket] of buckets.entries()) {
        const end = DURATION_BUCKETS[index] ?? "+Inf";
        yield `edgehelm_call_duration_seconds_bucket{operation="${operation}",le="${end}"} ${count += inBucket}`;
      }
      yield `edgehelm_call_duration_seconds_sum{operation="${operation}"} ${seconds}`;
      yield `edgehelm_call_duration_seconds_count{operation="${operation}"} ${count}`;
    }
  }
}
