import { Counter, Histogram, Registry } from "prom-client";
import type { Metrics } from "../metrics.ts";

/** Counts in the form that Prometheus reads. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #calls = new Map<string, Map<number, number>>();
  readonly #seconds: Histogram<"operation">;

  constructor() {
    const calls = this.#calls;
    // Counted in a plain map and handed over when somebody asks: a labelled counter is dear on every call.
    new Counter({
      name: "edgehelm_calls_total",
      help: "Calls that were answered, by operation and envelope code",
      labelNames: ["operation", "code"],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [operation, codes] of calls) {
          for (const [code, count] of codes) this.inc({ operation, code }, count);
        }
      },
    });
    this.#seconds = new Histogram({
      name: "edgehelm_call_duration_seconds",
      help: "How long calls took",
      labelNames: ["operation"],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [this.#registry],
    });
  }

  call(operation: string, code: number, seconds: number): void {
    let codes = this.#calls.get(operation);
    if (codes === undefined) this.#calls.set(operation, codes = new Map());
    codes.set(code, (codes.get(code) ?? 0) + 1);
    this.#seconds.observe({ operation }, seconds);
  }

  /** The text of /metrics. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
