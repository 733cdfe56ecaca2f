import { AbuseGuard } from "./abuse_guard.ts";
import { FrameReader } from "./frame_reader.ts";
import { Keepalive } from "./keepalive.ts";
import { CONNECTION_WINDOW, STREAM_WINDOW } from "./limits.ts";
import { Output, type OutputPool } from "./output.ts";
import { checkSettingsLength, initialWindowIn, settingsPayload } from "./settings.ts";
import {
  DEFAULT_WINDOW,
  ErrorCode,
  Flag,
  frameSizeError,
  FrameType,
  Http2ConnectionError,
  MAX_31_BIT,
  protocolError,
  readUint31,
  readUint32,
  Setting,
} from "./protocol.ts";
import { Sender } from "./sender.ts";
import type { ByteSocket } from "./socket.ts";
import { type Http2Handler, StreamTable } from "./stream_table.ts";

/** The number of unsent bytes above which the server stops reading from the client. */
const MAX_WAITING = 1024 * 1024;
/** The time for a client to close its side after GOAWAY. */
const LINGER_MILLISECONDS = 2000;
/** The payload of the ping whose ACK proves that the client has received GOAWAY. */
const DRAIN_PING = Uint8Array.from("edgehelm", (character) => character.charCodeAt(0));
const EMPTY = new Uint8Array();

/** One connection of a client (RFC 9113): its life cycle and its connection-level frames. */
export class Http2Connection {
  readonly #socket: ByteSocket;
  readonly #handler: Http2Handler;
  readonly #reader: FrameReader;
  readonly #output: Output;
  readonly #sender: Sender;
  readonly #streams: StreamTable;
  readonly #guard = new AbuseGuard();
  readonly #keepalive: Keepalive;
  readonly #startedAt: number;
  #hasSettings = false;
  /** The number of bytes that the client may still send. */
  #receiveWindow = CONNECTION_WINDOW;
  /** The number of received bytes since the last WINDOW_UPDATE. */
  #unreported = 0;
  #isPaused = false;
  #drain: "no" | "announced" | "begun" = "no";
  /** The time at which a closing connection is destroyed, in unix milliseconds. */
  #closesAt: number | undefined;
  #isClosed = false;

  constructor(socket: ByteSocket, handler: Http2Handler, pool: OutputPool, now: number) {
    this.#socket = socket;
    this.#handler = handler;
    this.#startedAt = now;
    this.#reader = new FrameReader((type, flags, id, bytes, start, end) =>
      this.#take(type, flags, id, bytes, start, end)
    );
    this.#output = new Output(socket, pool, () => this.#sender.pump());
    this.#keepalive = new Keepalive(handler.limits, now);
    this.#sender = new Sender(this.#output, () => {
      this.#guard.earn();
      this.#keepalive.sent();
    });
    this.#streams = new StreamTable(
      socket.remoteAddress,
      this.#sender,
      handler,
      this.#guard,
      () => this.#closeWhenIdle(),
    );
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  receive(chunk: Uint8Array, now: number): void {
    if (this.#isClosed || this.#closesAt !== undefined) return;
    this.#keepalive.heard(now);
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#fail(error);
    }
    if (this.#output.waitingBytes > MAX_WAITING && !this.#isPaused) {
      this.#isPaused = true;
      this.#socket.pause();
    }
  }

  /** The socket accepts bytes again. */
  drained(): void {
    if (this.#isClosed) return;
    this.#output.drained();
    if (this.#isPaused && this.#output.waitingBytes <= MAX_WAITING) {
      this.#isPaused = false;
      this.#socket.resume();
    }
  }

  /** The socket has been closed by either side. */
  socketClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#output.close();
    this.#streams.abortAll();
  }

  /** Enforces the time limits. Called about once a second. */
  sweep(now: number): void {
    const { headerMilliseconds, stallMilliseconds } = this.#handler.limits;
    const headersSince = this.#hasSettings ? this.#streams.unfinishedBlock?.startedAt : this.#startedAt;
    const isStalled = now - (this.#output.blockedSince ?? now) > stallMilliseconds;
    if (isStalled || this.#closesAt !== undefined) {
      if (isStalled || now > this.#closesAt!) this.destroy();
    } else if (headersSince !== undefined && now - headersSince > headerMilliseconds) {
      this.#fail(new Http2ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "the client is too slow"));
    } else if (this.#hasSettings) {
      // Even a client that does not acknowledge the ping has had time to receive GOAWAY.
      if (this.#drain === "announced") this.#beginDrain();
      this.#guard.refill();
      this.#streams.abortStalled(now, stallMilliseconds);
      const due = this.#keepalive.due(now);
      if (due === "ping") this.#sender.frame(FrameType.PING, 0, 0, new Uint8Array(8));
      else if (due === "close") this.destroy();
    }
  }

  /** Accepts no new streams, and closes when the last one has ended. */
  drain(): void {
    if (this.#drain !== "no" || this.#isClosed) return;
    this.#drain = "announced";
    // In two steps, so that no request in flight is lost (RFC 9113, section 6.8).
    this.#sender.goAway(MAX_31_BIT, ErrorCode.NO_ERROR, "the server is stopping");
    this.#sender.frame(FrameType.PING, 0, 0, DRAIN_PING);
  }

  destroy(): void {
    this.#socket.destroy();
    this.socketClosed();
  }

  #take(type: number, flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#closesAt !== undefined) return;
    if (!this.#hasSettings && type !== FrameType.SETTINGS) throw protocolError("the first frame must be SETTINGS");
    const block = this.#streams.unfinishedBlock;
    if (block !== undefined && (type !== FrameType.CONTINUATION || id !== block.streamId)) {
      throw protocolError("a header block must be continued first");
    }
    switch (type) {
      case FrameType.SETTINGS:
        return this.#settings(flags, id, bytes, start, end);
      case FrameType.PING:
        return this.#ping(flags, id, bytes, start, end);
      case FrameType.GOAWAY:
        return this.#goAway(id, end - start);
      case FrameType.WINDOW_UPDATE:
        this.#guard.charge(1, "window updates");
        if (end - start !== 4) throw frameSizeError("WINDOW_UPDATE", end - start);
        if (id === 0) return this.#extendWindow(readUint31(bytes, start));
        break;
      case FrameType.PUSH_PROMISE:
        throw protocolError("a client may not push");
      case FrameType.DATA:
        this.#countReceived(end - start);
        break;
      case FrameType.HEADERS:
      case FrameType.CONTINUATION:
      case FrameType.RST_STREAM:
      case FrameType.PRIORITY:
        break;
      default:
        // Unknown frame types are ignored (RFC 9113, section 5.5).
        return this.#guard.charge(1, "unknown frames");
    }
    if (id === 0) throw protocolError(`a frame of type ${type} on stream 0`);
    this.#streams.take(type, flags, id, bytes, start, end);
  }

  /** Counts received bytes and reopens the window: streams and their handlers limit what is buffered. */
  #countReceived(length: number): void {
    this.#receiveWindow -= length;
    if (this.#receiveWindow < 0) {
      throw new Http2ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, "the data exceeds the connection window");
    }
    this.#unreported += length;
    if (this.#unreported < CONNECTION_WINDOW / 2) return;
    this.#sender.windowUpdate(0, this.#unreported);
    this.#receiveWindow += this.#unreported;
    this.#unreported = 0;
  }

  #extendWindow(increment: number): void {
    if (increment === 0) throw protocolError("WINDOW_UPDATE with an increment of 0");
    this.#sender.extendWindow(increment);
  }

  #settings(flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    if (id !== 0) throw protocolError("SETTINGS on a stream");
    checkSettingsLength(end - start);
    if ((flags & Flag.ACK) !== 0) {
      if (!this.#hasSettings) throw protocolError("the first frame must be SETTINGS");
      if (end > start) throw frameSizeError("SETTINGS with ACK", end - start);
      return;
    }
    this.#guard.charge(4, "SETTINGS frames");
    if (!this.#hasSettings) this.#greet();
    const initialWindow = initialWindowIn(bytes, start, end);
    if (initialWindow !== undefined) this.#streams.setInitialWindow(initialWindow);
    this.#sender.frame(FrameType.SETTINGS, Flag.ACK, 0, EMPTY);
  }

  /** Sends the server's preface, once the client has proved to speak HTTP/2. */
  #greet(): void {
    this.#hasSettings = true;
    const settings = settingsPayload([
      [Setting.MAX_CONCURRENT_STREAMS, this.#handler.limits.concurrentStreams],
      [Setting.INITIAL_WINDOW_SIZE, STREAM_WINDOW],
      [Setting.MAX_HEADER_LIST_SIZE, this.#handler.limits.headerListBytes],
    ]);
    this.#sender.frame(FrameType.SETTINGS, 0, 0, settings);
    this.#sender.windowUpdate(0, CONNECTION_WINDOW - DEFAULT_WINDOW);
  }

  #ping(flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    if (id !== 0) throw protocolError("PING on a stream");
    if (end - start !== 8) throw frameSizeError("PING", end - start);
    if ((flags & Flag.ACK) === 0) {
      this.#keepalive.pinged(Date.now(), this.#streams.size > 0);
      this.#sender.frame(FrameType.PING, Flag.ACK, 0, bytes.subarray(start, end));
    } else if (this.#drain === "announced" && readUint32(bytes, start) === readUint32(DRAIN_PING, 0)) {
      this.#beginDrain();
    }
  }

  #beginDrain(): void {
    this.#drain = "begun";
    this.#streams.stopAccepting();
    this.#sender.goAway(this.#streams.lastId, ErrorCode.NO_ERROR, "the server is stopping");
    this.#closeWhenIdle();
  }

  /** The client will open no more streams. Open ones continue. */
  #goAway(id: number, length: number): void {
    if (id !== 0) throw protocolError("GOAWAY on a stream");
    if (length < 8) throw frameSizeError("GOAWAY", length);
    this.#guard.charge(1, "GOAWAY frames");
  }

  #fail(thrown: unknown): void {
    const error = thrown instanceof Http2ConnectionError ? thrown : undefined;
    if (!this.#reader.hasPreface) this.#output.write(this.#handler.notHttp2Response);
    else this.#sender.goAway(this.#streams.lastId, error?.code ?? ErrorCode.INTERNAL_ERROR, error?.message ?? "");
    this.#close();
    this.#streams.abortAll();
    if (error === undefined) throw thrown;
  }

  #closeWhenIdle(): void {
    if (this.#drain === "begun" && this.#streams.size === 0) this.#close();
  }

  #close(): void {
    if (this.#closesAt !== undefined || this.#isClosed) return;
    this.#closesAt = Date.now() + LINGER_MILLISECONDS;
    this.#output.flush();
    this.#socket.end();
  }
}
