import { STREAM_WINDOW } from "./limits.ts";
import { ErrorCode, Http2StreamError } from "./protocol.ts";
import { type ClosedState, type LiveState, NEXT_STATE, type StreamState } from "./stream_states.ts";

/** Takes what happens on one request stream. Nothing follows `aborted`. */
export interface StreamSink {
  /**
   * A part of the body. `bytes` must be copied to be kept, unless the request ends with them.
   *
   * @param isLast whether `end` follows at once
   */
  data(bytes: Uint8Array, isLast: boolean): void;
  /** The request is complete. */
  end(): void;
  /** The stream is gone: by the client, by a fault, or with its connection. Nothing can be answered any more. */
  aborted(): void;
  /** What waited to be sent has fallen to little. */
  writable(): void;
}

/** Writes the frames of a stream's response. */
export interface StreamSender {
  windowUpdate(streamId: number, increment: number): void;
  headers(streamId: number, block: Uint8Array, endsStream: boolean): void;
  /** Sends a complete response at once; false when windows, the socket or other streams prevent it. */
  sendWhole(stream: Http2Stream, headers: Uint8Array, body: readonly Uint8Array[], trailers: Uint8Array): boolean;
  /** Schedules the stream, which has something to send. */
  send(stream: Http2Stream): void;
  reset(streamId: number, code: number): void;
}

/** The connection's table of streams, as one of its streams uses it. */
export interface StreamOwner {
  readonly remoteAddress: string;
  readonly sender: StreamSender;
  /** Counts bytes that the connection holds in memory, or releases them; false when there are too many. */
  hold(bytes: number): boolean;
  /** The stream is closed: it takes no more frames. */
  closed(stream: Http2Stream, state: ClosedState): void;
  /** The handler is done with the stream. */
  released(): void;
}

/** An answer whose body is its end. */
export const NO_TRAILERS: Uint8Array = new Uint8Array();

/** Below so many waiting bytes a stream asks for more. */
export const LOW_WATER_BYTES = 64 * 1024;
/** The body's parts are reported as read in steps. */
const WINDOW_STEP = STREAM_WINDOW / 2;

/** One request and its answer. */
export class Http2Stream {
  readonly id: number;
  sink: StreamSink | undefined;
  /** How much the client may be sent. */
  sendWindow: number;
  state: StreamState = "open";
  /** Unix milliseconds; what a client that stalls is judged by. */
  progressAt: number;
  /** Unix milliseconds by which the request must be complete; undefined for one that may go on. */
  requestDueAt: number | undefined;
  readonly #table: StreamOwner;
  readonly #contentLength: number | undefined;
  #received = 0;
  /** How much the client may send. */
  #receiveWindow = STREAM_WINDOW;
  #unreported = 0;
  #held = 0;
  #isReleased = false;
  /** What waits to be sent: parts of the body, of which the first is sent up to `#sent`, then the trailers. */
  #parts: Uint8Array[] = [];
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

  /** Where the request comes from. */
  get remoteAddress(): string {
    return this.#table.remoteAddress;
  }

  get isClosed(): boolean {
    return this.state === "ended" || this.state === "reset_by_peer" || this.state === "reset_by_us";
  }

  /** Bytes of the body that wait to be sent. */
  get waitingBytes(): number {
    return this.#waiting;
  }

  /** Whether the answer is complete, sent or not. */
  get isAnswered(): boolean {
    return this.#trailers !== undefined || this.isClosed;
  }

  /** Whether there is something that may be sent now. */
  get isReady(): boolean {
    return this.#waiting > 0 ? this.sendWindow > 0 : this.#trailers !== undefined;
  }

  // What the client sends.

  /** @throws Http2StreamError when it sends more than it may */
  receive(bytes: Uint8Array, frameLength: number, isLast: boolean): void {
    this.#receiveWindow -= frameLength;
    if (this.#receiveWindow < 0) {
      throw new Http2StreamError(ErrorCode.FLOW_CONTROL_ERROR, "more than the window allows");
    }
    this.#received += bytes.length;
    if (this.#contentLength !== undefined && this.#received > this.#contentLength) throw wrongLength();
    // Padding is nobody's to read.
    if (frameLength > bytes.length && !isLast) this.consumed(frameLength - bytes.length);
    if (bytes.length > 0) this.sink?.data(bytes, isLast);
    if (isLast) this.receiveEnd();
  }

  /** @throws Http2StreamError when the body is shorter than it said */
  receiveEnd(): void {
    if (this.isClosed) return;
    if (this.#contentLength !== undefined && this.#received !== this.#contentLength) throw wrongLength();
    this.state = NEXT_STATE[this.state as LiveState].receive_end;
    this.sink?.end();
  }

  /** So many bytes of the body were read: the client may send as many more. */
  consumed(count: number): void {
    this.#unreported += count;
    if (this.#unreported < WINDOW_STEP || this.state !== "open" && this.state !== "half_closed_local") return;
    this.#receiveWindow += this.#unreported;
    this.#table.sender.windowUpdate(this.id, this.#unreported);
    this.#unreported = 0;
  }

  /** Counts what is kept of the request in memory; false when the connection then holds too much. */
  hold(bytes: number): boolean {
    this.#held += bytes;
    return this.#table.hold(bytes);
  }

  // What the client is sent.

  /** Sends a whole answer: at once and in one piece where that is possible. */
  respond(headers: Uint8Array, body: readonly Uint8Array[], trailers: Uint8Array): void {
    if (this.isClosed) return;
    const { sender } = this.#table;
    if (sender.sendWhole(this, headers, body, trailers)) {
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

  /** Ends the answer with header fields. */
  sendTrailers(block: Uint8Array): void {
    if (this.isAnswered) return;
    this.#trailers = block;
    // From here on it is the client who keeps the answer waiting.
    this.progressAt = Date.now();
    this.#table.sender.send(this);
  }

  /** Ends the answer with its body. */
  endData(): void {
    this.sendTrailers(NO_TRAILERS);
  }

  /** Whether the client takes longer than it may, with its request or with the answer. */
  isStalled(now: number, stallMilliseconds: number): boolean {
    if (this.isAnswered) return now - this.progressAt > stallMilliseconds;
    return this.state === "open" && this.requestDueAt !== undefined && now > this.requestDueAt;
  }

  /** Ends the stream without an answer. */
  reset(code: number): void {
    if (this.isClosed) return;
    this.#table.sender.reset(this.id, code);
    this.close("reset_by_us");
  }

  /** Moves the next waiting bytes of the body, at most `most`, to a frame. */
  take(target: Uint8Array, at: number, most: number): void {
    let left = most;
    while (left > 0) {
      const part = this.#parts[0]!;
      const count = Math.min(left, part.length - this.#sent);
      target.set(count === part.length ? part : part.subarray(this.#sent, this.#sent + count), at);
      at += count;
      left -= count;
      this.#sent += count;
      if (this.#sent === part.length) {
        this.#parts.shift();
        this.#sent = 0;
      }
    }
    this.#waiting -= most;
    this.sendWindow -= most;
    this.#table.hold(-most);
  }

  /** The trailers, if nothing stands before them any more. */
  takeTrailers(): Uint8Array | undefined {
    return this.#waiting === 0 ? this.#trailers : undefined;
  }

  /** END_STREAM was sent. A client that still sends is told to stop (RFC 9113, section 8.1). */
  sentEnd(): void {
    this.state = NEXT_STATE[this.state as LiveState].send_end;
    if (this.state === "ended") this.close("ended");
    else this.reset(ErrorCode.NO_ERROR);
  }

  // The end.

  close(state: ClosedState): void {
    this.state = state;
    this.#table.hold(-this.#waiting - this.#held);
    this.#parts = [];
    this.#waiting = this.#held = 0;
    this.#table.closed(this, state);
    if (this.sink === undefined) this.release();
  }

  /** Nobody works for the stream any more: another may be opened in its place. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#table.released();
  }
}

function wrongLength(): Http2StreamError {
  return new Http2StreamError(ErrorCode.PROTOCOL_ERROR, "the body is not as long as content-length says");
}
