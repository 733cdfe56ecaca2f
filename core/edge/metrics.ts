import { CallTallies, DURATION_BUCKETS } from "../calls/call_tallies.ts";
import type { Metrics, PluginMetrics } from "../base/metrics.ts";

/** What a plugin counts or measures. */
interface Family {
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** By labels as Prometheus writes them. */
  values(): ReadonlyMap<string, number>;
}

/** Counts the calls of one isolate, in the form that Prometheus reads: its library needs a machine. */
export class EdgeMetrics extends CallTallies implements Metrics {
  readonly #families = new Map<string, Family>();

  ofPlugin(plugin: string): PluginMetrics {
    const full = (name: string) => `edgehelm_${plugin}_${name}`;
    return {
      counter: (name, help) => {
        const counts = new Map<string, number>();
        this.#families.set(full(name), { help, type: "counter", values: () => counts });
        return {
          add(count, labels = {}) {
            const key = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(",");
            counts.set(key, (counts.get(key) ?? 0) + count);
          },
        };
      },
      gauge: (name, help, read) => {
        this.#families.set(full(name), { help, type: "gauge", values: () => new Map([["", read()]]) });
      },
    };
  }

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
      ...this.#ofPlugins(),
      "",
    ].join("\n");
  }

  *#ofPlugins(): Generator<string> {
    for (const [name, { help, type, values }] of this.#families) {
      yield `# HELP ${name} ${help}`;
      yield `# TYPE ${name} ${type}`;
      for (const [labels, value] of values()) yield labels === "" ? `${name} ${value}` : `${name}{${labels}} ${value}`;
    }
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
