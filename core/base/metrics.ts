/** What the kernel counts. */
export interface Metrics {
  /** One call that was answered. `code` is the envelope's. */
  call(operation: string, code: number, seconds: number): void;
  /** What a plugin counts, under names that begin with `edgehelm_<plugin>_`. */
  ofPlugin(plugin: string): PluginMetrics;
}

/** What a plugin counts and measures, for /metrics. */
export interface PluginMetrics {
  /**
   * Declares what only grows.
   *
   * @param name snake_case, by custom ending in `_total`
   */
  counter(name: string, help: string): Counter;
  /** Declares what is as it is now; `read` runs when somebody asks. */
  gauge(name: string, help: string, read: () => number): void;
}

export interface Counter {
  /** @param labels one of few values each, or the counter grows without end */
  add(count: number, labels?: Readonly<Record<string, string>>): void;
}

const noPluginMetrics: PluginMetrics = { counter: () => ({ add() {} }), gauge() {} };

export const noMetrics: Metrics = { call() {}, ofPlugin: () => noPluginMetrics };
