/** What one HTTP/2 connection may ask of the server. Times are milliseconds, sizes bytes. */
export interface Http2Limits {
  /** Streams that are open or still worked for. */
  readonly concurrentStreams: number;
  /** The header fields of one request, as SETTINGS_MAX_HEADER_LIST_SIZE counts them. */
  readonly headerListBytes: number;
  /** What requests and answers of one connection may hold in memory. */
  readonly connectionBytes: number;
  /** From the connection's begin to its first SETTINGS, and from a request's first header frame to its last. */
  readonly headerMilliseconds: number;
  /** For how long a client may read nothing of what waits for it. */
  readonly stallMilliseconds: number;
  /** After how long a silence the client is asked whether it is there, and how long it may take to answer. */
  readonly keepaliveMilliseconds: number;
  readonly keepaliveTimeoutMilliseconds: number;
  /** The least time between a client's pings; while it has no stream it may send them only every two hours. */
  readonly pingMilliseconds: number;
}

export const HTTP2_LIMITS: Http2Limits = {
  concurrentStreams: 256,
  headerListBytes: 16_384,
  connectionBytes: 64 * 1024 * 1024,
  headerMilliseconds: 15_000,
  stallMilliseconds: 30_000,
  keepaliveMilliseconds: 60_000,
  keepaliveTimeoutMilliseconds: 20_000,
  pingMilliseconds: 300_000,
};

/** How much a stream may send before it is read, and all streams of a connection together. */
export const STREAM_WINDOW = 256 * 1024;
export const CONNECTION_WINDOW = 1024 * 1024;
/** What SETTINGS_HEADER_TABLE_SIZE is by default (RFC 9113, section 6.5.2). */
export const HEADER_TABLE_BYTES = 4096;
