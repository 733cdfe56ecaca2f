/** Receives what the kernel measures. */
export interface Metrics {
  /** Records one finished call. `code` is the code of its response envelope. */
  call(operation: string, code: number, seconds: number): void;
  /** Returns the metrics of a plugin, whose names begin with `edgehelm_<plugin>_`. */
  ofPlugin(plugin: string): PluginMetrics;
}

/**
 * Declares the metrics that a plugin exports on /metrics.
 *
 * @example
 * ```ts
 * const { metrics } = setup;
 * const imported = metrics.counter("records_imported_total", "Records imported from zone files.");
 * metrics.gauge("queue_length", "Imports that wait.", () => queue.length);
 * imported.add(25, { source: "upload" });
 * ```
 */
export interface PluginMetrics {
  /**
   * Declares a value that only grows.
   *
   * @param name snake_case, by convention ending in `_total`
   * @param help one sentence, shown as the HELP line
   */
  counter(name: string, help: string): Counter;
  /**
   * Declares a value that can rise and fall.
   *
   * @param name snake_case
   * @param help one sentence, shown as the HELP line
   * @param read returns the current value; called on every scrape
   */
  gauge(name: string, help: string, read: () => number): void;
}

/** A counter that a plugin declared with {@link PluginMetrics.counter}. */
export interface Counter {
  /** @param labels each label must have a small, fixed set of values: every combination is a time series */
  add(count: number, labels?: Readonly<Record<string, string>>): void;
}

const noPluginMetrics: PluginMetrics = { counter: () => ({ add() {} }), gauge() {} };

export const noMetrics: Metrics = { call() {}, ofPlugin: () => noPluginMetrics };
