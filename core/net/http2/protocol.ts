// The constants of HTTP/2, with their names in RFC 9113. Section numbers refer to it.

/** The first bytes of a client (section 3.4). */
export const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

export const FRAME_HEADER_LENGTH = 9;

/** Frame types (section 6). */
export const FrameType = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

/** Frame flags (section 6). */
export const Flag = {
  END_STREAM: 0x1,
  ACK: 0x1,
  END_HEADERS: 0x4,
  PADDED: 0x8,
  PRIORITY: 0x20,
} as const;

/** Error codes (section 7). */
export const ErrorCode = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  SETTINGS_TIMEOUT: 4,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  ENHANCE_YOUR_CALM: 11,
} as const;

/** Settings (section 6.5.2). */
export const Setting = {
  HEADER_TABLE_SIZE: 1,
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
} as const;

/** The default of SETTINGS_INITIAL_WINDOW_SIZE (section 6.5.2). */
export const DEFAULT_WINDOW = 65_535;
/** The default and minimum of SETTINGS_MAX_FRAME_SIZE (section 6.5.2). */
export const DEFAULT_MAX_FRAME_SIZE = 16_384;
/** The maximum of SETTINGS_MAX_FRAME_SIZE (section 6.5.2). */
export const MAX_FRAME_SIZE_LIMIT = 16_777_215;
/** The maximum of windows and stream ids. */
export const MAX_31_BIT = 0x7fffffff;

/** An error that ends the connection with GOAWAY (section 5.4.1). */
export class Http2ConnectionError extends Error {
  override readonly name = "Http2ConnectionError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** An error that ends one stream with RST_STREAM (section 5.4.2). */
export class Http2StreamError extends Error {
  override readonly name = "Http2StreamError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function protocolError(message: string): Http2ConnectionError {
  return new Http2ConnectionError(ErrorCode.PROTOCOL_ERROR, message);
}

export function frameSizeError(frame: string, length: number): Http2ConnectionError {
  return new Http2ConnectionError(ErrorCode.FRAME_SIZE_ERROR, `${frame} of ${length} bytes`);
}

/** Writes the header of a frame, nine bytes (section 4.1). */
export function writeFrameHeader(
  bytes: Uint8Array,
  at: number,
  length: number,
  type: number,
  flags: number,
  streamId: number,
): void {
  bytes[at] = length >>> 16;
  bytes[at + 1] = length >>> 8;
  bytes[at + 2] = length;
  bytes[at + 3] = type;
  bytes[at + 4] = flags;
  writeUint32(bytes, at + 5, streamId);
}

export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24 | bytes[at + 1]! << 16 | bytes[at + 2]! << 8 | bytes[at + 3]!) >>> 0;
}

/** Reads a stream id or a window increment, whose highest bit is reserved and ignored. */
export function readUint31(bytes: Uint8Array, at: number): number {
  return readUint32(bytes, at) & MAX_31_BIT;
}
