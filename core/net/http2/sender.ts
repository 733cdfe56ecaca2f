import { NO_DYNAMIC_TABLE } from "../hpack/encoder.ts";
import type { Output } from "./output.ts";
import {
  DEFAULT_MAX_FRAME_SIZE,
  DEFAULT_WINDOW,
  ErrorCode,
  Flag,
  FRAME_HEADER_LENGTH,
  FrameType,
  Http2ConnectionError,
  Http2StreamError,
  MAX_31_BIT,
  writeFrameHeader,
  writeUint32,
} from "./protocol.ts";
import { type Http2Stream, LOW_WATER_BYTES, NO_TRAILERS } from "./stream.ts";

/** Writes the frames of one connection within its windows, one frame of each stream in turn. */
export class Sender {
  readonly #output: Output;
  readonly #onResponseFrame: () => void;
  #window = DEFAULT_WINDOW;
  /** The streams that have something to send and a window for it. */
  readonly #ready = new Set<Http2Stream>();
  #hasSentHeaders = false;

  /** @param onResponseFrame called for every frame of a response */
  constructor(output: Output, onResponseFrame: () => void) {
    this.#output = output;
    this.#onResponseFrame = onResponseFrame;
  }

  frame(type: number, flags: number, streamId: number, payload: Uint8Array): void {
    const at = this.#output.reserve(FRAME_HEADER_LENGTH + payload.length);
    const { bytes } = this.#output;
    writeFrameHeader(bytes, at, payload.length, type, flags, streamId);
    bytes.set(payload, at + FRAME_HEADER_LENGTH);
  }

  windowUpdate(streamId: number, increment: number): void {
    this.#number(FrameType.WINDOW_UPDATE, streamId, increment);
  }

  reset(streamId: number, code: number): void {
    this.#number(FrameType.RST_STREAM, streamId, code);
  }

  goAway(lastStreamId: number, code: number, text: string): void {
    const debug = new TextEncoder().encode(text);
    const payload = new Uint8Array(8 + debug.length);
    writeUint32(payload, 0, lastStreamId);
    writeUint32(payload, 4, code);
    payload.set(debug, 8);
    this.frame(FrameType.GOAWAY, 0, 0, payload);
  }

  headers(streamId: number, block: Uint8Array, endsStream: boolean): void {
    const whole = this.#hasSentHeaders ? block : this.#firstBlock(block);
    const end = endsStream ? Flag.END_STREAM : 0;
    if (whole.length <= DEFAULT_MAX_FRAME_SIZE) {
      this.frame(FrameType.HEADERS, Flag.END_HEADERS | end, streamId, whole);
    } else this.#longHeaders(streamId, whole, end);
    this.#onResponseFrame();
  }

  /** Sends a block that needs more than one frame (RFC 9113, section 6.10). */
  #longHeaders(streamId: number, block: Uint8Array, endStream: number): void {
    for (let at = 0; at < block.length; at += DEFAULT_MAX_FRAME_SIZE) {
      const part = block.subarray(at, at + DEFAULT_MAX_FRAME_SIZE);
      const isLast = at + part.length === block.length;
      const flags = (isLast ? Flag.END_HEADERS : 0) | (at === 0 ? endStream : 0);
      this.frame(at === 0 ? FrameType.HEADERS : FrameType.CONTINUATION, flags, streamId, part);
    }
  }

  /** Sends a complete response at once. Returns false if windows, the socket or other streams prevent it. */
  trySendResponse(
    stream: Http2Stream,
    headers: Uint8Array,
    body: readonly Uint8Array[],
    trailers: Uint8Array,
  ): boolean {
    let length = 0;
    for (const part of body) length += part.length;
    if (
      length > DEFAULT_MAX_FRAME_SIZE || headers.length > DEFAULT_MAX_FRAME_SIZE ||
      trailers.length > DEFAULT_MAX_FRAME_SIZE || length > this.#window || length > stream.sendWindow ||
      this.#ready.size > 0 || this.#output.isFull || stream.waitingBytes > 0 || !this.#hasSentHeaders
    ) return false;
    let at = this.#output.reserve(3 * FRAME_HEADER_LENGTH + headers.length + length + trailers.length);
    const { bytes } = this.#output;
    writeFrameHeader(bytes, at, headers.length, FrameType.HEADERS, Flag.END_HEADERS, stream.id);
    bytes.set(headers, at += FRAME_HEADER_LENGTH);
    writeFrameHeader(bytes, at += headers.length, length, FrameType.DATA, 0, stream.id);
    at += FRAME_HEADER_LENGTH;
    for (const part of body) {
      bytes.set(part, at);
      at += part.length;
    }
    writeFrameHeader(bytes, at, trailers.length, FrameType.HEADERS, Flag.END_HEADERS | Flag.END_STREAM, stream.id);
    bytes.set(trailers, at + FRAME_HEADER_LENGTH);
    this.#window -= length;
    stream.sendWindow -= length;
    this.#onResponseFrame();
    return true;
  }

  /** Schedules a stream if it has something to send. */
  send(stream: Http2Stream): void {
    if (!stream.isReady) return;
    this.#ready.add(stream);
    this.pump();
  }

  forget(stream: Http2Stream): void {
    this.#ready.delete(stream);
  }

  /** @throws Http2ConnectionError */
  extendWindow(increment: number): void {
    this.#window += increment;
    if (this.#window > MAX_31_BIT) {
      throw new Http2ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, "the connection window is too large");
    }
    this.pump();
  }

  /** @throws Http2StreamError */
  extendStreamWindow(stream: Http2Stream, increment: number): void {
    stream.sendWindow += increment;
    if (stream.sendWindow > MAX_31_BIT) {
      throw new Http2StreamError(ErrorCode.FLOW_CONTROL_ERROR, "the stream window is too large");
    }
    this.send(stream);
  }

  /** Sends one frame of each ready stream in turn, as long as windows and output allow. */
  pump(): void {
    for (const stream of this.#ready) {
      if (this.#output.isFull) return;
      if (stream.waitingBytes > 0 && this.#window <= 0) continue;
      // Moves the stream to the end of the set, where the loop reaches it again.
      this.#ready.delete(stream);
      this.#sendOf(stream);
      if (stream.isReady && !stream.isClosed) this.#ready.add(stream);
    }
  }

  #sendOf(stream: Http2Stream): void {
    const trailers = stream.takeTrailers();
    if (trailers !== undefined) {
      if (trailers === NO_TRAILERS) this.frame(FrameType.DATA, Flag.END_STREAM, stream.id, NO_TRAILERS);
      else this.headers(stream.id, trailers, true);
      stream.sentEnd();
      return;
    }
    const length = Math.min(stream.waitingBytes, stream.sendWindow, this.#window, DEFAULT_MAX_FRAME_SIZE);
    if (length <= 0) return;
    const at = this.#output.reserve(FRAME_HEADER_LENGTH + length);
    const { bytes } = this.#output;
    writeFrameHeader(bytes, at, length, FrameType.DATA, 0, stream.id);
    stream.take(bytes, at + FRAME_HEADER_LENGTH, length);
    this.#window -= length;
    this.#onResponseFrame();
    stream.progressAt = Date.now();
    if (stream.waitingBytes < LOW_WATER_BYTES && stream.waitingBytes + length >= LOW_WATER_BYTES) {
      stream.sink?.writable();
    }
  }

  #number(type: number, streamId: number, value: number): void {
    const at = this.#output.reserve(FRAME_HEADER_LENGTH + 4);
    writeFrameHeader(this.#output.bytes, at, 4, type, 0, streamId);
    writeUint32(this.#output.bytes, at + FRAME_HEADER_LENGTH, value);
  }

  /** Prefixes the first header block with a table size update that disables the dynamic table. */
  #firstBlock(block: Uint8Array): Uint8Array {
    this.#hasSentHeaders = true;
    const first = new Uint8Array(1 + block.length);
    first.set(NO_DYNAMIC_TABLE);
    first.set(block, 1);
    return first;
  }
}
