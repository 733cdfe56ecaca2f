/** One kind of HTTP call. wrk.lua replaces `<random A B>`, `<serial A>` and `<unique>` in path and body. */
export interface HttpCall {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status?: number;
  /** Text that every response must contain. */
  readonly expected: string;
  /** Counts wrong responses instead of failing, where a full machine may make the server refuse calls. */
  readonly mayFail?: boolean;
}

/** The result of one load. */
export interface LoadResult {
  readonly calls: number;
  readonly seconds: number;
  /** The latency in milliseconds that this percentage of calls stays under. */
  readonly p50: number;
  readonly p99: number;
  /** Responses that are not as expected. */
  readonly wrong: number;
}
