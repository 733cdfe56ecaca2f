/** What the kernel counts. */
export interface Metrics {
  /** One call that was answered. `code` is the envelope's. */
  call(operation: string, code: number, seconds: number): void;
}

export const noMetrics: Metrics = { call() {} };
