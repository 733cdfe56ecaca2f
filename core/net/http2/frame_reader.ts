import {
  DEFAULT_MAX_FRAME_SIZE,
  ErrorCode,
  FRAME_HEADER_LENGTH,
  Http2ConnectionError,
  PREFACE,
  readUint31,
} from "./protocol.ts";

/** Receives frames in order. The payload is `bytes` from `start` to `end`, valid during the call only. */
export type FrameSink = (
  type: number,
  flags: number,
  streamId: number,
  bytes: Uint8Array,
  start: number,
  end: number,
) => void;

/**
 * Splits the bytes of a socket into frames. A frame within one chunk is delivered without a copy; only a frame that
 * spans chunks is copied.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  #prefaceSeen = 0;
  /** The buffer of an incomplete frame: at first its header, then its header and payload. */
  #partial = new Uint8Array(FRAME_HEADER_LENGTH);
  #filled = 0;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** True once the client has sent the preface of HTTP/2. */
  get hasPreface(): boolean {
    return this.#prefaceSeen === PREFACE.length;
  }

  /** @throws Http2ConnectionError */
  push(chunk: Uint8Array): void {
    let at = this.hasPreface ? 0 : this.#readPreface(chunk);
    if (this.#filled > 0) at = this.#fillPartial(chunk, at);
    while (chunk.length - at >= FRAME_HEADER_LENGTH) {
      const end = at + FRAME_HEADER_LENGTH + payloadLength(chunk, at);
      if (end > chunk.length) break;
      this.#deliver(chunk, at, end);
      at = end;
    }
    if (at < chunk.length) this.#fillPartial(chunk, at);
  }

  #readPreface(chunk: Uint8Array): number {
    let at = 0;
    while (at < chunk.length && this.#prefaceSeen < PREFACE.length) {
      if (chunk[at++] !== PREFACE.charCodeAt(this.#prefaceSeen++)) {
        throw new Http2ConnectionError(ErrorCode.PROTOCOL_ERROR, "the HTTP/2 preface is invalid");
      }
    }
    return at;
  }

  /** Adds bytes to the incomplete frame and delivers it once complete. Returns the offset after the bytes it used. */
  #fillPartial(chunk: Uint8Array, from: number): number {
    let at = this.#copy(chunk, from, FRAME_HEADER_LENGTH);
    if (this.#filled < FRAME_HEADER_LENGTH) return at;
    const length = FRAME_HEADER_LENGTH + payloadLength(this.#partial, 0);
    if (this.#partial.length < length) {
      const whole = new Uint8Array(length);
      whole.set(this.#partial.subarray(0, FRAME_HEADER_LENGTH));
      this.#partial = whole;
    }
    at = this.#copy(chunk, at, length);
    if (this.#filled < length) return at;
    const frame = this.#partial;
    this.#partial = new Uint8Array(FRAME_HEADER_LENGTH);
    this.#filled = 0;
    this.#deliver(frame, 0, length);
    return at;
  }

  #copy(chunk: Uint8Array, from: number, upTo: number): number {
    const count = Math.min(upTo - this.#filled, chunk.length - from);
    if (count <= 0) return from;
    this.#partial.set(chunk.subarray(from, from + count), this.#filled);
    this.#filled += count;
    return from + count;
  }

  #deliver(bytes: Uint8Array, at: number, end: number): void {
    this.#sink(bytes[at + 3]!, bytes[at + 4]!, readUint31(bytes, at + 5), bytes, at + FRAME_HEADER_LENGTH, end);
  }
}

/** Returns the payload length in a frame header. Checked before anything is allocated for the payload. */
function payloadLength(bytes: Uint8Array, at: number): number {
  const length = bytes[at]! << 16 | bytes[at + 1]! << 8 | bytes[at + 2]!;
  if (length > DEFAULT_MAX_FRAME_SIZE) {
    throw new Http2ConnectionError(
      ErrorCode.FRAME_SIZE_ERROR,
      `a frame of ${length} bytes, above the limit of ${DEFAULT_MAX_FRAME_SIZE}`,
    );
  }
  return length;
}
