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

/** What a server does with requests. */
export interface Http2Handler {
  readonly limits: Http2Limits;
  /** What a client gets that does not speak HTTP/2. */
  readonly foreignAnswer: Uint8Array;
  /** A request has begun; undefined when it was answered at once. */
  open(stream: Http2Stream, headers: RequestHeaders): StreamSink | undefined;
  /** Answers a request whose header fields are too large to be read. */
  refuseHeaders(stream: Http2Stream): void;
}

/** How many streams that were reset are remembered, to tell late frames from wrong ones. */
const REMEMBERED = 1024;

/** The streams of one connection, and the frames that are for one of them. */
export class StreamTable {
  readonly remoteAddress: string;
  readonly sender: Sender;
  readonly #handler: Http2Handler;
  readonly #guard: AbuseGuard;
  readonly #changed: () => void;
  readonly #decoder: HpackDecoder;
  readonly #streams = new Map<number, Http2Stream>();
  /** Streams that were reset; those that ended as they should are not kept. */
  readonly #resets = new Map<number, ClosedState>();
  #block: HeaderBlock | undefined;
  #lastId = 0;
  #lastAccepted = MAX_31_BIT;
  #initialWindow = DEFAULT_WINDOW;
  #working = 0;
  #held = 0;

  /** @param closed told whenever a stream is closed */
  constructor(remoteAddress: string, sender: Sender, handler: Http2Handler, guard: AbuseGuard, closed: () => void) {
    this.remoteAddress = remoteAddress;
    this.sender = sender;
    this.#handler = handler;
    this.#guard = guard;
    this.#changed = closed;
    this.#decoder = new HpackDecoder(HEADER_TABLE_BYTES, handler.limits.headerListBytes);
  }

  get size(): number {
    return this.#streams.size;
  }

  /** The highest stream that a client opened. */
  get lastId(): number {
    return this.#lastId;
  }

  /** The header block that must be continued before anything else comes. */
  get unfinishedBlock(): HeaderBlock | undefined {
    return this.#block;
  }

  /** Takes no streams any more. */
  stopAccepting(): void {
    this.#lastAccepted = this.#lastId;
  }

  /** A frame of one stream. @throws Http2ConnectionError */
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
    } catch (fault) {
      if (!(fault instanceof Http2StreamError)) throw fault;
      this.#guard.charge(2, "faulty streams");
      this.abort(id, fault.code);
    }
  }

  /** The client changed SETTINGS_INITIAL_WINDOW_SIZE (RFC 9113, section 6.9.2). */
  setInitialWindow(size: number): void {
    const change = size - this.#initialWindow;
    this.#initialWindow = size;
    if (change === 0) return;
    for (const stream of this.#streams.values()) {
      if (stream.sendWindow + change > MAX_31_BIT) {
        throw new Http2ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, "INITIAL_WINDOW_SIZE makes a window too large");
      }
      this.sender.widenStream(stream, change);
    }
  }

  /** Ends a stream that cannot go on. */
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

  /** Drops streams whose client takes longer than it may. */
  abortStalled(now: number, stallMilliseconds: number): void {
    for (const stream of [...this.#streams.values()]) {
      if (stream.isStalled(now, stallMilliseconds)) this.abort(stream.id, ErrorCode.CANCEL);
    }
  }

  /** The connection is gone. */
  abortAll(): void {
    for (const stream of [...this.#streams.values()]) {
      stream.close("reset_by_peer");
      stream.sink?.aborted();
    }
  }

  // For the streams.

  /** Counts bytes that are kept for the connection; false when they are too many. */
  hold(bytes: number): boolean {
    this.#held += bytes;
    return this.#held <= this.#handler.limits.connectionBytes;
  }

  closed(stream: Http2Stream, state: ClosedState): void {
    this.#streams.delete(stream.id);
    this.sender.forget(stream);
    if (state !== "ended") this.#remember(stream.id, state);
    this.#changed();
  }

  released(): void {
    this.#working--;
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
    if ((id & 1) === 0) throw protocolError(`${id} is no stream of a client`);
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
    if (block === undefined) throw protocolError("CONTINUATION continues nothing");
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

  /** Decodes first, whatever becomes of it: the table must stay in step. */
  #headerBlock(id: number, endsStream: boolean, bytes: Uint8Array, start: number, end: number): void {
    const { fields, isTooLarge } = this.#decode(bytes, start, end);
    const stream = this.#streamFor(FrameType.HEADERS, id);
    if (stream !== undefined) {
      const fault = endsStream ? trailersError(fields) : "a second header block does not end the stream";
      if (fault !== undefined) throw new Http2StreamError(ErrorCode.PROTOCOL_ERROR, fault);
      return stream.receiveEnd();
    }
    if (id <= this.#lastId) return;
    this.#lastId = id;
    if (id > this.#lastAccepted || this.#working >= this.#handler.limits.concurrentStreams) {
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
    this.#working++;
    if (headers === undefined) this.#handler.refuseHeaders(stream);
    else stream.sink = this.#handler.open(stream, headers);
    if (endsStream) stream.receiveEnd();
    if (stream.sink === undefined && stream.isClosed) stream.release();
  }

  #windowUpdate(id: number, increment: number): void {
    const stream = this.#streamFor(FrameType.WINDOW_UPDATE, id);
    if (increment === 0) throw new Http2StreamError(ErrorCode.PROTOCOL_ERROR, "a window grows by 0");
    if (stream !== undefined) this.sender.widenStream(stream, increment);
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

  /** The stream that a frame is for; undefined when the frame is to be ignored, or opens it. */
  #streamFor(frameType: number, id: number): Http2Stream | undefined {
    const stream = this.#streams.get(id);
    const verdict = verdictOf(stream?.state ?? this.#stateOf(id), frameType);
    if (verdict === "take") return stream;
    if (verdict === "ignore") return undefined;
    const text = `a frame of type ${frameType} on a stream that cannot take it`;
    if (verdict.connectionError !== undefined) throw new Http2ConnectionError(verdict.connectionError, text);
    throw new Http2StreamError(verdict.streamError, text);
  }

  #stateOf(id: number): StreamState {
    if (id > this.#lastId || (id & 1) === 0) return "idle";
    return this.#resets.get(id) ?? "ended";
  }

  #remember(id: number, state: ClosedState): void {
    this.#resets.set(id, state);
    if (this.#resets.size > REMEMBERED) this.#resets.delete(this.#resets.keys().next().value!);
  }
}

/** The payload between the length of the padding and the padding (RFC 9113, section 6.1). */
function withoutPadding(bytes: Uint8Array, start: number, end: number): [start: number, end: number] {
  const padding = start < end ? bytes[start]! : end;
  if (padding >= end - start) throw protocolError("the padding is longer than its frame");
  return [start + 1, end - padding];
}
