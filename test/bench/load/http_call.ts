/** One kind of HTTP call. In path and body wrk replaces `<random A B>`, `<serial A>` and `<unique>`. */
export interface HttpCall {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status?: number;
  /** Text that every response must contain. */
  readonly expected: string;
}

/** The result of one load. */
export interface LoadResult {
  readonly calls: number;
  readonly seconds: number;
  /** The latency in milliseconds that this percentage of calls stays under. */
  readonly p50: number;
  readonly p99: number;
}
