/** The limits of one HTTP/2 connection. */
export interface Http2Limits {
  /** The maximum number of streams that are open or still being handled. */
  readonly concurrentStreams: number;
  /** The maximum size of the header list of a request, as SETTINGS_MAX_HEADER_LIST_SIZE counts it. */
  readonly headerListBytes: number;
  /** The maximum memory that the requests and responses of a connection occupy. */
  readonly connectionBytes: number;
  /** The time limit for the first SETTINGS frame, and for all frames of a header block. */
  readonly headerMilliseconds: number;
  /** The time after which a client that does not read is disconnected. */
  readonly stallMilliseconds: number;
  /** The silence after which the client is pinged. */
  readonly keepaliveMilliseconds: number;
  /** The time after such a ping without any bytes from the client before it is disconnected. */
  readonly keepaliveTimeoutMilliseconds: number;
  /** The minimum interval between pings of a client with open streams. Without streams it is two hours. */
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

/** The receive window of a stream, in bytes. */
export const STREAM_WINDOW = 256 * 1024;
/** The receive window of a connection, in bytes. */
export const CONNECTION_WINDOW = 1024 * 1024;
/** The default of SETTINGS_HEADER_TABLE_SIZE (RFC 9113, section 6.5.2). */
export const HEADER_TABLE_BYTES = 4096;
