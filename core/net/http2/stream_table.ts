import type { AbuseGuard } from "./abuse_guard.ts";
import { HeaderBlock } from "./header_block.ts";
import { type HeaderList, HpackDecoder, HpackError } from "../hpack/decoder.ts";
import { HEADER_TABLE_BYTES, type Http2Limits } from "./limits.ts";
import {
  DEFAULT_WINDOW,
  ErrorCode,
  Flag,
  frameSizeError,
  FrameType,
  Http2ConnectionError,
  Http2StreamError,
  MAX_31_BIT,
  protocolError,
  readUint31,
} from "./protocol.ts";
import { readRequestHeaders, type RequestHeaders, trailersError } from "./request_headers.ts";
import type { Sender } from "./sender.ts";
import { Http2Stream, type StreamSink } from "./stream.ts";
import { type ClosedState, type StreamState, verdictOf } from "./stream_states.ts";

/** Handles the requests of a server. */
export interface Http2Handler {
  readonly limits: Http2Limits;
  /** The bytes to send to a client that does not speak HTTP/2. */
  readonly notHttp2Response: Uint8Array;
  /** Starts to handle a request. Returns its sink, or undefined if it has already responded. */
  open(stream: Http2Stream, headers: RequestHeaders): StreamSink | undefined;
  /** Responds to a request whose header fields are too large. */
  refuseHeaders(stream: Http2Stream): void;
}

/** The number of remembered reset streams, which distinguishes late frames from invalid ones. */
const MAX_REMEMBERED = 1024;

/** The streams of one connection, and the handling of stream-level frames. */
export class StreamTable {
  readonly remoteAddress: string;
  readonly sender: Sender;
  readonly #handler: Http2Handler;
  readonly #guard: AbuseGuard;
  readonly #onClosed: () => void;
  readonly #decoder: HpackDecoder;
  readonly #streams = new Map<number, Http2Stream>();
  /** The streams that were reset recently. */
  readonly #resets = new Map<number, ClosedState>();
  #block: HeaderBlock | undefined;
  #lastId = 0;
  #lastAccepted = MAX_31_BIT;
  #initialWindow = DEFAULT_WINDOW;
  /** The number of streams that their handlers have not released. */
  #handling = 0;
  #held = 0;

  /** @param onClosed called whenever a stream is closed */
  constructor(remoteAddress: string, sender: Sender, handler: Http2Handler, guard: AbuseGuard, onClosed: () => void) {
    this.remoteAddress = remoteAddress;
    this.sender = sender;
    this.#handler = handler;
    this.#guard = guard;
    this.#onClosed = onClosed;
    this.#decoder = new HpackDecoder(HEADER_TABLE_BYTES, handler.limits.headerListBytes);
  }

  get size(): number {
    return this.#streams.size;
  }

  /** The highest id of a stream that the client opened. */
  get lastId(): number {
    return this.#lastId;
  }

  /** The incomplete header block, which must be continued before any other frame. */
  get unfinishedBlock(): HeaderBlock | undefined {
    return this.#block;
  }

  /** Accepts no new streams from now on. */
  stopAccepting(): void {
    this.#lastAccepted = this.#lastId;
  }

  /**
   * Handles a frame of one stream.
   *
   * @throws Http2ConnectionError
   */
  take(type: number, flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    try {
      switch (type) {
        case FrameType.DATA:
          return this.#data(flags, id, bytes, start, end);
        case FrameType.HEADERS:
          return this.#headers(flags, id, bytes, start, end);
        case FrameType.CONTINUATION:
          return this.#continuation(flags, bytes, start, end);
        case FrameType.WINDOW_UPDATE:
          return this.#windowUpdate(id, readUint31(bytes, start));
        case FrameType.RST_STREAM:
          return this.#reset(id, end - start);
        case FrameType.PRIORITY:
          return this.#priority(id, end - start);
      }
    } catch (error) {
      if (!(error instanceof Http2StreamError)) throw error;
      this.#guard.charge(2, "stream errors");
      this.abort(id, error.code);
    }
  }

  /** Applies a new SETTINGS_INITIAL_WINDOW_SIZE of the client (RFC 9113, section 6.9.2). */
  setInitialWindow(size: number): void {
    const change = size - this.#initialWindow;
    this.#initialWindow = size;
    if (change === 0) return;
    for (const stream of this.#streams.values()) {
      if (stream.sendWindow + change > MAX_31_BIT) {
        throw new Http2ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, "INITIAL_WINDOW_SIZE makes a window too large");
      }
      this.sender.extendStreamWindow(stream, change);
    }
  }

  /** Resets a stream and notifies its sink. */
  abort(id: number, code: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      this.#remember(id, "reset_by_us");
      this.sender.reset(id, code);
      return;
    }
    stream.reset(code);
    stream.sink?.aborted();
  }

  /** Resets streams whose client is too slow. */
  abortStalled(now: number, stallMilliseconds: number): void {
    for (const stream of [...this.#streams.values()]) {
      if (stream.isStalled(now, stallMilliseconds)) this.abort(stream.id, ErrorCode.CANCEL);
    }
  }

  /** Closes all streams after the connection has ended. */
  abortAll(): void {
    for (const stream of [...this.#streams.values()]) {
      stream.close("reset_by_peer");
      stream.sink?.aborted();
    }
  }

  // The interface for streams.

  hold(bytes: number): boolean {
    this.#held += bytes;
    return this.#held <= this.#handler.limits.connectionBytes;
  }

  closed(stream: Http2Stream, state: ClosedState): void {
    this.#streams.delete(stream.id);
    this.sender.forget(stream);
    if (state !== "ended") this.#remember(stream.id, state);
    this.#onClosed();
  }

  released(): void {
    this.#handling--;
  }

  // Frames.

  #data(flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if ((flags & Flag.PADDED) !== 0) [start, end] = withoutPadding(bytes, start, end);
    const isLast = (flags & Flag.END_STREAM) !== 0;
    if (end === start && !isLast) this.#guard.charge(1, "empty DATA frames");
    this.#streamFor(FrameType.DATA, id)?.receive(bytes.subarray(start, end), length, isLast);
  }

  #headers(flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    if ((id & 1) === 0) throw protocolError(`${id} is not a valid stream id for a client`);
    const length = end - start;
    if ((flags & Flag.PADDED) !== 0) [start, end] = withoutPadding(bytes, start, end);
    if ((flags & Flag.PRIORITY) !== 0) start += 5;
    if (start > end) throw frameSizeError("HEADERS", length);
    const endsStream = (flags & Flag.END_STREAM) !== 0;
    if ((flags & Flag.END_HEADERS) !== 0) return this.#headerBlock(id, endsStream, bytes, start, end);
    this.#block = new HeaderBlock(id, endsStream, Date.now(), this.#handler.limits.headerListBytes);
    this.#block.add(bytes, start, end);
  }

  #continuation(flags: number, bytes: Uint8Array, start: number, end: number): void {
    const block = this.#block;
    if (block === undefined) throw protocolError("CONTINUATION without HEADERS");
    block.add(bytes, start, end);
    if ((flags & Flag.END_HEADERS) === 0) return;
    this.#block = undefined;
    this.#headerBlock(block.streamId, block.endsStream, block.bytes, 0, block.length);
  }

  #decode(bytes: Uint8Array, start: number, end: number): HeaderList {
    try {
      return this.#decoder.decode(bytes, start, end);
    } catch (error) {
      throw error instanceof HpackError ? new Http2ConnectionError(ErrorCode.COMPRESSION_ERROR, error.message) : error;
    }
  }

  /** Handles a complete header block. It is decoded even if it is then ignored, to keep the table in sync. */
  #headerBlock(id: number, endsStream: boolean, bytes: Uint8Array, start: number, end: number): void {
    const { fields, isTooLarge } = this.#decode(bytes, start, end);
    const stream = this.#streamFor(FrameType.HEADERS, id);
    if (stream !== undefined) {
      const error = endsStream ? trailersError(fields) : "a second header block does not end the stream";
      if (error !== undefined) throw new Http2StreamError(ErrorCode.PROTOCOL_ERROR, error);
      return stream.receiveEnd();
    }
    if (id <= this.#lastId) return;
    this.#lastId = id;
    if (id > this.#lastAccepted || this.#handling >= this.#handler.limits.concurrentStreams) {
      this.#guard.charge(1, "refused streams");
      return this.abort(id, ErrorCode.REFUSED_STREAM);
    }
    const headers = isTooLarge ? undefined : readRequestHeaders(fields);
    if (typeof headers === "string") throw new Http2StreamError(ErrorCode.PROTOCOL_ERROR, headers);
    this.#open(id, headers, endsStream);
  }

  #open(id: number, headers: RequestHeaders | undefined, endsStream: boolean): void {
    const stream = new Http2Stream(this, id, this.#initialWindow, headers?.contentLength, Date.now());
    this.#streams.set(id, stream);
    this.#handling++;
    if (headers === undefined) this.#handler.refuseHeaders(stream);
    else stream.sink = this.#handler.open(stream, headers);
    if (endsStream) stream.receiveEnd();
    if (stream.sink === undefined && stream.isClosed) stream.release();
  }

  #windowUpdate(id: number, increment: number): void {
    const stream = this.#streamFor(FrameType.WINDOW_UPDATE, id);
    if (increment === 0) throw new Http2StreamError(ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE with an increment of 0");
    if (stream !== undefined) this.sender.extendStreamWindow(stream, increment);
  }

  #reset(id: number, length: number): void {
    if (length !== 4) throw frameSizeError("RST_STREAM", length);
    this.#guard.charge(4, "reset streams");
    const stream = this.#streamFor(FrameType.RST_STREAM, id);
    stream?.close("reset_by_peer");
    stream?.sink?.aborted();
  }

  #priority(id: number, length: number): void {
    this.#guard.charge(1, "PRIORITY frames");
    if (length === 5) return;
    if (this.#stateOf(id) === "idle") throw frameSizeError("PRIORITY", length);
    throw new Http2StreamError(ErrorCode.FRAME_SIZE_ERROR, `PRIORITY of ${length} bytes`);
  }

  /** Returns the stream of a frame, or undefined if the frame opens the stream or must be ignored. */
  #streamFor(frameType: number, id: number): Http2Stream | undefined {
    const stream = this.#streams.get(id);
    const verdict = verdictOf(stream?.state ?? this.#stateOf(id), frameType);
    if (verdict === "accept") return stream;
    if (verdict === "ignore") return undefined;
    const text = `a frame of type ${frameType} is not allowed in this state of the stream`;
    if (verdict.connectionError !== undefined) throw new Http2ConnectionError(verdict.connectionError, text);
    throw new Http2StreamError(verdict.streamError, text);
  }

  #stateOf(id: number): StreamState {
    if (id > this.#lastId || (id & 1) === 0) return "idle";
    return this.#resets.get(id) ?? "ended";
  }

  #remember(id: number, state: ClosedState): void {
    this.#resets.set(id, state);
    if (this.#resets.size > MAX_REMEMBERED) this.#resets.delete(this.#resets.keys().next().value!);
  }
}

/** Returns the range of the payload without its padding (RFC 9113, section 6.1). */
function withoutPadding(bytes: Uint8Array, start: number, end: number): [start: number, end: number] {
  const padding = start < end ? bytes[start]! : end;
  if (padding >= end - start) throw protocolError("the padding is longer than its frame");
  return [start + 1, end - padding];
}
