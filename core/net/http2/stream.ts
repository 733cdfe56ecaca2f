import { STREAM_WINDOW } from "./limits.ts";
import { ErrorCode, Http2StreamError } from "./protocol.ts";
import { type ClosedState, type LiveState, NEXT_STATE, type StreamState } from "./stream_states.ts";

/** Receives the events of one stream. `aborted` is the last one. */
export interface StreamSink {
  /**
   * Called with a part of the body. `bytes` must be copied to be kept, unless it is the last part.
   *
   * @param isLast true if `end` follows immediately
   */
  data(bytes: Uint8Array, isLast: boolean): void;
  /** Called when the request is complete. */
  end(): void;
  /** Called when the client, an error or the end of the connection has ended the stream. No response can be sent. */
  aborted(): void;
  /** Called when the number of unsent bytes has fallen below {@link LOW_WATER_BYTES}. */
  writable(): void;
}

/** Writes the frames of a stream's response. */
export interface StreamSender {
  windowUpdate(streamId: number, increment: number): void;
  headers(streamId: number, block: Uint8Array, endsStream: boolean): void;
  /** Sends a complete response at once; false when windows, the socket or other streams prevent it. */
  trySendResponse(stream: Http2Stream, headers: Uint8Array, body: readonly Uint8Array[], trailers: Uint8Array): boolean;
  /** Schedules the stream, which has something to send. */
  send(stream: Http2Stream): void;
  reset(streamId: number, code: number): void;
}

/** The connection's table of streams, as one of its streams uses it. */
export interface StreamOwner {
  readonly remoteAddress: string;
  readonly sender: StreamSender;
  /** Counts bytes that the connection holds in memory; negative ones are released. Returns false above the limit. */
  hold(bytes: number): boolean;
  /** Called when a stream is closed and accepts no more frames. */
  closed(stream: Http2Stream, state: ClosedState): void;
  /** Called when the handler has finished with a stream. */
  released(): void;
}

/** Marks a response that ends with its body. */
export const NO_TRAILERS: Uint8Array = new Uint8Array();

/** The number of unsent bytes below which a stream asks for more. */
export const LOW_WATER_BYTES = 64 * 1024;
/** The number of consumed bytes after which WINDOW_UPDATE is sent. */
const WINDOW_STEP = STREAM_WINDOW / 2;

/** One request and its response. */
export class Http2Stream {
  readonly id: number;
  sink: StreamSink | undefined;
  /** The number of bytes that may be sent to the client. */
  sendWindow: number;
  state: StreamState = "open";
  /** The time of the last progress, in unix milliseconds, from which a stall is measured. */
  progressAt: number;
  /** The time by which the request must be complete, in unix milliseconds; undefined for no limit. */
  requestDueAt: number | undefined;
  readonly #table: StreamOwner;
  readonly #contentLength: number | undefined;
  #received = 0;
  /** The number of bytes that the client may send. */
  #receiveWindow = STREAM_WINDOW;
  #unreported = 0;
  #held = 0;
  #isReleased = false;
  /** The unsent parts of the body. */
  #parts: Uint8Array[] = [];
  /** The number of bytes of the first part that have been sent. */
  #sent = 0;
  #waiting = 0;
  #trailers: Uint8Array | undefined;

  constructor(
    table: StreamOwner,
    id: number,
    sendWindow: number,
    contentLength: number | undefined,
    now: number,
  ) {
    this.#table = table;
    this.id = id;
    this.sendWindow = sendWindow;
    this.progressAt = now;
    this.#contentLength = contentLength;
  }

  /** The address of the client. */
  get remoteAddress(): string {
    return this.#table.remoteAddress;
  }

  get isClosed(): boolean {
    return this.state === "ended" || this.state === "reset_by_peer" || this.state === "reset_by_us";
  }

  /** The number of unsent bytes of the body. */
  get waitingBytes(): number {
    return this.#waiting;
  }

  /** True if the response is complete, whether it has been sent or not. */
  get hasResponded(): boolean {
    return this.#trailers !== undefined || this.isClosed;
  }

  /** True if the stream has something to send and a window for it. */
  get isReady(): boolean {
    return this.#waiting > 0 ? this.sendWindow > 0 : this.#trailers !== undefined;
  }

  // The request.

  /** @throws Http2StreamError if the client sends more than allowed */
  receive(bytes: Uint8Array, frameLength: number, isLast: boolean): void {
    this.#receiveWindow -= frameLength;
    if (this.#receiveWindow < 0) {
      throw new Http2StreamError(ErrorCode.FLOW_CONTROL_ERROR, "the data exceeds the stream window");
    }
    this.#received += bytes.length;
    if (this.#contentLength !== undefined && this.#received > this.#contentLength) throw wrongLength();
    // Padding is consumed here, because the sink does not see it.
    if (frameLength > bytes.length && !isLast) this.consumed(frameLength - bytes.length);
    if (bytes.length > 0) this.sink?.data(bytes, isLast);
    if (isLast) this.receiveEnd();
  }

  /** @throws Http2StreamError if the body is shorter than its content-length */
  receiveEnd(): void {
    if (this.isClosed) return;
    if (this.#contentLength !== undefined && this.#received !== this.#contentLength) throw wrongLength();
    this.state = NEXT_STATE[this.state as LiveState].receive_end;
    this.sink?.end();
  }

  /** Returns `count` consumed bytes of the body to the window of the client. */
  consumed(count: number): void {
    this.#unreported += count;
    if (this.#unreported < WINDOW_STEP || this.state !== "open" && this.state !== "half_closed_local") return;
    this.#receiveWindow += this.#unreported;
    this.#table.sender.windowUpdate(this.id, this.#unreported);
    this.#unreported = 0;
  }

  /** Counts bytes of the request that are held in memory. Returns false if the connection exceeds its limit. */
  hold(bytes: number): boolean {
    this.#held += bytes;
    return this.#table.hold(bytes);
  }

  // The response.

  /** Sends a complete response, in one write if possible. */
  respond(headers: Uint8Array, body: readonly Uint8Array[], trailers: Uint8Array): void {
    if (this.isClosed) return;
    const { sender } = this.#table;
    if (sender.trySendResponse(this, headers, body, trailers)) {
      this.sentEnd();
      return;
    }
    this.sendHeaders(headers);
    this.sendData(body);
    this.sendTrailers(trailers);
  }

  sendHeaders(block: Uint8Array): void {
    if (!this.isClosed) this.#table.sender.headers(this.id, block, false);
  }

  sendData(parts: readonly Uint8Array[]): void {
    if (this.isClosed) return;
    for (const part of parts) {
      if (part.length === 0) continue;
      this.#parts.push(part);
      this.#waiting += part.length;
      this.#table.hold(part.length);
    }
    this.#table.sender.send(this);
  }

  /** Ends the response with trailer fields. */
  sendTrailers(block: Uint8Array): void {
    if (this.hasResponded) return;
    this.#trailers = block;
    // From now on only the client can delay the response.
    this.progressAt = Date.now();
    this.#table.sender.send(this);
  }

  /** Ends the response without trailers. */
  endData(): void {
    this.sendTrailers(NO_TRAILERS);
  }

  /** Returns true if the client is too slow to send its request or to read the response. */
  isStalled(now: number, stallMilliseconds: number): boolean {
    if (this.hasResponded) return now - this.progressAt > stallMilliseconds;
    return this.state === "open" && this.requestDueAt !== undefined && now > this.requestDueAt;
  }

  /** Ends the stream without completing the response. */
  reset(code: number): void {
    if (this.isClosed) return;
    this.#table.sender.reset(this.id, code);
    this.close("reset_by_us");
  }

  /** Moves the next `length` bytes of the body to `target`, at the offset `at`. */
  take(target: Uint8Array, at: number, length: number): void {
    let remaining = length;
    while (remaining > 0) {
      const part = this.#parts[0]!;
      const count = Math.min(remaining, part.length - this.#sent);
      target.set(count === part.length ? part : part.subarray(this.#sent, this.#sent + count), at);
      at += count;
      remaining -= count;
      this.#sent += count;
      if (this.#sent === part.length) {
        this.#parts.shift();
        this.#sent = 0;
      }
    }
    this.#waiting -= length;
    this.sendWindow -= length;
    this.#table.hold(-length);
  }

  /** Returns the trailers if the whole body has been sent. */
  takeTrailers(): Uint8Array | undefined {
    return this.#waiting === 0 ? this.#trailers : undefined;
  }

  /** END_STREAM has been sent. A client that is still sending is stopped by a reset (RFC 9113, section 8.1). */
  sentEnd(): void {
    this.state = NEXT_STATE[this.state as LiveState].send_end;
    if (this.state === "ended") this.close("ended");
    else this.reset(ErrorCode.NO_ERROR);
  }

  // The end of the stream.

  close(state: ClosedState): void {
    this.state = state;
    this.#table.hold(-this.#waiting - this.#held);
    this.#parts = [];
    this.#waiting = this.#held = 0;
    this.#table.closed(this, state);
    if (this.sink === undefined) this.release();
  }

  /** Declares that the handler has finished with the stream, so that another may be opened. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#table.released();
  }
}

function wrongLength(): Http2StreamError {
  return new Http2StreamError(ErrorCode.PROTOCOL_ERROR, "the length of the body differs from content-length");
}
