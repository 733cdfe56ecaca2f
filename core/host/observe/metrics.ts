import { collectDefaultMetrics, Counter, Gauge, type Metric, Registry } from "prom-client";
import { CallTallies, DURATION_BUCKETS, type Tally } from "../../calls/call_tallies.ts";
import type { ConnectionPool } from "../../net/connection_pool.ts";
import type { Counter as PluginCounter, Metrics, PluginMetrics } from "../../base/metrics.ts";
import { LoopLag } from "./loop_lag.ts";

const DURATION = "edgehelm_call_duration_seconds";

/** Values that are read when metrics are collected. */
export interface Gauges {
  readonly inFlight: () => number;
  readonly waitingWrites: () => number;
}

/** Metrics in Prometheus format. Calls update plain counters, which get their labels on collection, since labels are slow. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #tallies = new CallTallies();

  readonly #uncaught = this.#counter("edgehelm_uncaught_errors_total", "Errors that nothing caught, by plugin");

  constructor() {
    const tallies = this.#tallies.byOperation;
    new Counter({
      name: "edgehelm_calls_total",
      help: "Completed calls by operation and envelope code",
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
      help: "Duration of calls",
      type: "histogram",
      get: () => Promise.resolve({ ...durations, values: [...tallies].flatMap(durationValues), aggregator: "sum" }),
    };
    this.#registry.registerMetric(durations as unknown as Metric);
  }

  /** Adds the metrics of a running server: calls in flight, the write queue, the event loop and the process. */
  watch({ inFlight, waitingWrites }: Gauges): void {
    const lag = new LoopLag();
    this.#gauge("edgehelm_calls_in_flight", "Calls in flight", inFlight);
    this.#gauge("edgehelm_database_writes_waiting", "Writes in the queue", waitingWrites);
    this.#gauge(
      "edgehelm_event_loop_lag_seconds",
      "Maximum delay of the event loop in the last 30 seconds",
      () => lag.seconds(),
    );
    collectDefaultMetrics({ register: this.#registry });
    // On Deno these are wrong. The lag metric above is right on every runtime.
    for (const { name } of this.#registry.getMetricsAsArray()) {
      if (name.startsWith("nodejs_eventloop")) this.#registry.removeSingleMetric(name);
    }
  }

  /** Adds the connections of the listeners. */
  watchConnections(pool: ConnectionPool): void {
    this.#gauge("edgehelm_connections_open", "Open connections of the listeners for callers", () => pool.open);
    this.#gauge("edgehelm_connections_max", "Connections that the limit of open files leaves room for", () => pool.max);
    new Counter({
      name: "edgehelm_connections_refused_total",
      help: "Refused connections by listener and limit: of the process, of the listener, or of the address",
      labelNames: ["listener", "limit"],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { listener, limit, count } of pool.refused) this.inc({ listener, limit }, count);
      },
    });
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }

  call(operation: string, code: number, seconds: number): void {
    this.#tallies.call(operation, code, seconds);
  }

  /** Counts an error in a timer, an event or a promise that nothing caught. */
  uncaughtError(plugin: string): void {
    this.#uncaught.add(1, { plugin });
  }

  ofPlugin(plugin: string): PluginMetrics {
    const full = (name: string) => `edgehelm_${plugin}_${name}`;
    return {
      counter: (name, help) => this.#counter(full(name), help),
      gauge: (name, help, read) => this.#gauge(full(name), help, read),
    };
  }

  /** Creates a counter that accepts any labels. The counters of prom-client need the label names in advance. */
  #counter(name: string, help: string): PluginCounter {
    const tallies = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>();
    const counter = {
      name,
      help,
      type: "counter",
      get: () => Promise.resolve({ ...counter, values: [...tallies.values()], aggregator: "sum" }),
    };
    this.#registry.registerMetric(counter as unknown as Metric);
    return {
      add(count, labels = {}) {
        const key = JSON.stringify(labels);
        const tally = tallies.get(key);
        if (tally === undefined) tallies.set(key, { labels, value: count });
        else tally.value += count;
      },
    };
  }

  /** Returns the response body of /metrics. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** Returns the samples of a histogram: cumulative buckets, sum and count. */
function durationValues([operation, { buckets, seconds }]: [string, Tally]) {
  let count = 0;
  const cumulative = buckets.map((inBucket, index) => {
    const labels = { operation, le: DURATION_BUCKETS[index] ?? "+Inf" };
    return { metricName: `${DURATION}_bucket`, labels, value: count += inBucket };
  });
  return [
    ...cumulative,
    { metricName: `${DURATION}_sum`, labels: { operation }, value: seconds },
    { metricName: `${DURATION}_count`, labels: { operation }, value: count },
  ];
}
