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

/** Beyond so many unsent bytes a client is not read: it asks for more than it takes. */
const MAX_WAITING = 1024 * 1024;
/** How long a connection that is sent away may take to be gone. */
const LINGER_MILLISECONDS = 2000;
/** Marks the ping that tells when a client has heard that the server stops. */
const DRAIN_PING = Uint8Array.from("edgehelm", (character) => character.charCodeAt(0));
const NOTHING = new Uint8Array();

/** One connection of a client (RFC 9113): its life, and the frames that are for the whole of it. */
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
  /** What the client may still send, and what it sent since it was told last. */
  #receiveWindow = CONNECTION_WINDOW;
  #unreported = 0;
  #isPaused = false;
  #drain: "no" | "announced" | "begun" = "no";
  /** Unix milliseconds at which a connection that was sent away is cut. */
  #leavesAt: number | undefined;
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
      () => this.#leaveWhenIdle(),
    );
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Bytes came. */
  receive(chunk: Uint8Array, now: number): void {
    if (this.#isClosed || this.#leavesAt !== undefined) return;
    this.#keepalive.heard(now);
    try {
      this.#reader.push(chunk);
    } catch (fault) {
      this.#fail(fault);
    }
    if (this.#output.waitingBytes > MAX_WAITING && !this.#isPaused) {
      this.#isPaused = true;
      this.#socket.pause();
    }
  }

  /** The socket takes bytes again. */
  drained(): void {
    if (this.#isClosed) return;
    this.#output.drained();
    if (this.#isPaused && this.#output.waitingBytes <= MAX_WAITING) {
      this.#isPaused = false;
      this.#socket.resume();
    }
  }

  /** The socket is closed, by either side. */
  socketClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#output.close();
    this.#streams.abortAll();
  }

  /** Looks after what time alone brings; called about once a second. */
  sweep(now: number): void {
    const { headerMilliseconds, stallMilliseconds } = this.#handler.limits;
    const headersSince = this.#hasSettings ? this.#streams.unfinishedBlock?.startedAt : this.#startedAt;
    const isStalled = now - (this.#output.blockedSince ?? now) > stallMilliseconds;
    if (isStalled || this.#leavesAt !== undefined) {
      if (isStalled || now > this.#leavesAt!) this.destroy();
    } else if (headersSince !== undefined && now - headersSince > headerMilliseconds) {
      this.#fail(new Http2ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "the client is too slow"));
    } else if (this.#hasSettings) {
      // A client that does not answer the ping has had time to hear.
      if (this.#drain === "announced") this.#beginDrain();
      this.#guard.refill();
      this.#streams.abortStalled(now, stallMilliseconds);
      const due = this.#keepalive.due(now);
      if (due === "ping") this.#sender.frame(FrameType.PING, 0, 0, new Uint8Array(8));
      else if (due === "give up") this.destroy();
    }
  }

  /** Takes no new streams, and closes when the last one has ended. */
  drain(): void {
    if (this.#drain !== "no" || this.#isClosed) return;
    this.#drain = "announced";
    // In two steps, so that no request on its way is lost (RFC 9113, section 6.8).
    this.#sender.goAway(MAX_31_BIT, ErrorCode.NO_ERROR, "the server stops");
    this.#sender.frame(FrameType.PING, 0, 0, DRAIN_PING);
  }

  destroy(): void {
    this.#socket.destroy();
    this.socketClosed();
  }

  #take(type: number, flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#leavesAt !== undefined) return;
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
        if (id === 0) return this.#widen(readUint31(bytes, start));
        break;
      case FrameType.PUSH_PROMISE:
        throw protocolError("a client may not push");
      case FrameType.DATA:
        this.#account(end - start);
        break;
      case FrameType.HEADERS:
      case FrameType.CONTINUATION:
      case FrameType.RST_STREAM:
      case FrameType.PRIORITY:
        break;
      default:
        // Unknown ones are ignored (RFC 9113, section 5.5).
        return this.#guard.charge(1, "unknown frames");
    }
    if (id === 0) throw protocolError(`a frame of type ${type} stands on no stream`);
    this.#streams.take(type, flags, id, bytes, start, end);
  }

  /** Whatever becomes of the bytes, the client may send as many more: what is kept is limited elsewhere. */
  #account(length: number): void {
    this.#receiveWindow -= length;
    if (this.#receiveWindow < 0) {
      throw new Http2ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, "more than the connection's window allows");
    }
    this.#unreported += length;
    if (this.#unreported < CONNECTION_WINDOW / 2) return;
    this.#sender.windowUpdate(0, this.#unreported);
    this.#receiveWindow += this.#unreported;
    this.#unreported = 0;
  }

  #widen(increment: number): void {
    if (increment === 0) throw protocolError("a window grows by 0");
    this.#sender.widen(increment);
  }

  #settings(flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    if (id !== 0) throw protocolError("SETTINGS stands on a stream");
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
    this.#sender.frame(FrameType.SETTINGS, Flag.ACK, 0, NOTHING);
  }

  /** The server's own preface, once the client is known to speak HTTP/2. */
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
    if (id !== 0) throw protocolError("PING stands on a stream");
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
    this.#sender.goAway(this.#streams.lastId, ErrorCode.NO_ERROR, "the server stops");
    this.#leaveWhenIdle();
  }

  /** The client will open no more streams; those that it has go on. */
  #goAway(id: number, length: number): void {
    if (id !== 0) throw protocolError("GOAWAY stands on a stream");
    if (length < 8) throw frameSizeError("GOAWAY", length);
    this.#guard.charge(1, "GOAWAY frames");
  }

  #fail(thrown: unknown): void {
    const fault = thrown instanceof Http2ConnectionError ? thrown : undefined;
    if (!this.#reader.hasPreface) this.#output.write(this.#handler.foreignAnswer);
    else this.#sender.goAway(this.#streams.lastId, fault?.code ?? ErrorCode.INTERNAL_ERROR, fault?.message ?? "");
    this.#leave();
    this.#streams.abortAll();
    if (fault === undefined) throw thrown;
  }

  #leaveWhenIdle(): void {
    if (this.#drain === "begun" && this.#streams.size === 0) this.#leave();
  }

  #leave(): void {
    if (this.#leavesAt !== undefined || this.#isClosed) return;
    this.#leavesAt = Date.now() + LINGER_MILLISECONDS;
    this.#output.flush();
    this.#socket.end();
  }
}
