import { CallTallies, DURATION_BUCKETS } from "../calls/call_tallies.ts";
import type { Metrics, PluginMetrics } from "../base/metrics.ts";

/** A metric of a plugin. */
interface PluginMetric {
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** The values by labels, in Prometheus text format. */
  values(): ReadonlyMap<string, number>;
}

/** Metrics of one isolate in Prometheus text format, without prom-client, which needs Node APIs. */
export class EdgeMetrics extends CallTallies implements Metrics {
  readonly #pluginMetrics = new Map<string, PluginMetric>();

  ofPlugin(plugin: string): PluginMetrics {
    const full = (name: string) => `edgehelm_${plugin}_${name}`;
    return {
      counter: (name, help) => {
        const counts = new Map<string, number>();
        this.#pluginMetrics.set(full(name), { help, type: "counter", values: () => counts });
        return {
          add(count, labels = {}) {
            const key = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(",");
            counts.set(key, (counts.get(key) ?? 0) + count);
          },
        };
      },
      gauge: (name, help, read) => {
        this.#pluginMetrics.set(full(name), { help, type: "gauge", values: () => new Map([["", read()]]) });
      },
    };
  }

  /** Returns the response body of /metrics. */
  text(inFlight: number): string {
    return [
      "# HELP edgehelm_calls_total Completed calls by operation and envelope code",
      "# TYPE edgehelm_calls_total counter",
      ...this.#callLines(),
      "# HELP edgehelm_call_duration_seconds Duration of calls",
      "# TYPE edgehelm_call_duration_seconds histogram",
      ...this.#durationLines(),
      "# HELP edgehelm_calls_in_flight Calls in flight",
      "# TYPE edgehelm_calls_in_flight gauge",
      `edgehelm_calls_in_flight ${inFlight}`,
      ...this.#pluginLines(),
      "",
    ].join("\n");
  }

  *#pluginLines(): Generator<string> {
    for (const [name, { help, type, values }] of this.#pluginMetrics) {
      yield `# HELP ${name} ${help}`;
      yield `# TYPE ${name} ${type}`;
      for (const [labels, value] of values()) yield labels === "" ? `${name} ${value}` : `${name}{${labels}} ${value}`;
    }
  }

  *#callLines(): Generator<string> {
    for (const [operation, { codes }] of this.byOperation) {
      for (const [code, count] of codes) {
        yield `edgehelm_calls_total{operation="${operation}",code="${code}"} ${count}`;
      }
    }
  }

  *#durationLines(): Generator<string> {
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
