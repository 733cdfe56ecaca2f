import {
  DEFAULT_MAX_FRAME_SIZE,
  ErrorCode,
  FRAME_HEADER_LENGTH,
  Http2ConnectionError,
  PREFACE,
  readUint31,
} from "./protocol.ts";

/** Takes the frames of one connection, in order. `bytes` from `start` to `end` is the payload, valid during the call. */
export type FrameSink = (
  type: number,
  flags: number,
  streamId: number,
  bytes: Uint8Array,
  start: number,
  end: number,
) => void;

/**
 * Cuts what a socket gives into frames. A frame that lies whole in one chunk is handed over where it is; only one that
 * is spread over chunks is copied together.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  #prefaceSeen = 0;
  /** The frame that has begun and is not whole: its header first, then header and payload in one buffer. */
  #partial = new Uint8Array(FRAME_HEADER_LENGTH);
  #filled = 0;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** Whether the client has said that it speaks HTTP/2. */
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
        throw new Http2ConnectionError(ErrorCode.PROTOCOL_ERROR, "this is not the preface of HTTP/2");
      }
    }
    return at;
  }

  /** Adds to the partial frame, and delivers it once it is whole; answers where the chunk goes on. */
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

/** The length that a frame header tells; known before anything is allocated for it. */
function payloadLength(bytes: Uint8Array, at: number): number {
  const length = bytes[at]! << 16 | bytes[at + 1]! << 8 | bytes[at + 2]!;
  if (length > DEFAULT_MAX_FRAME_SIZE) {
    throw new Http2ConnectionError(ErrorCode.FRAME_SIZE_ERROR, `a frame of ${length} bytes: at most 16384 are allowed`);
  }
  return length;
}
