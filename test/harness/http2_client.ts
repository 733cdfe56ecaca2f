import { encodeHeaderBlock } from "../../core/net/hpack/encoder.ts";
import { HpackDecoder } from "../../core/net/hpack/decoder.ts";
import type { Http2Server } from "../../core/net/http2/server.ts";
import { PREFACE } from "../../core/net/http2/protocol.ts";

/** A frame as it went over the wire. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Uint8Array;
}

export type Fields = readonly (readonly [name: string, value: string])[];

/** What every client begins a connection with: the preface and its settings. */
export function greeting(settings: ArrayLike<number> = []): Uint8Array {
  return joined([new TextEncoder().encode(PREFACE), frameBytes(4, 0, 0, settings)]);
}

/** The header fields of a gRPC call. */
export function grpcRequest(path: string, token?: string): Fields {
  return [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", path],
    ["content-type", "application/grpc"],
    ["te", "trailers"],
    ...(token === undefined ? [] : [["x-cloud-access-token", token] as const]),
  ];
}

/** Cuts what comes over a connection into frames; their payload is good until the next piece is read. */
export class FrameCutter {
  #rest = new Uint8Array();

  *cut(chunk: Uint8Array): Generator<Frame> {
    const bytes = this.#rest.length === 0 ? chunk : joined([this.#rest, chunk]);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    while (bytes.length - at >= 9) {
      const end = at + 9 + (view.getUint32(at) >>> 8);
      if (end > bytes.length) break;
      const [type, flags] = [bytes[at + 3]!, bytes[at + 4]!];
      yield { type, flags, streamId: view.getUint32(at + 5), payload: bytes.subarray(at + 9, end) };
      at = end;
    }
    this.#rest = bytes.slice(at);
  }
}

/** The bytes of one frame. */
export function frameBytes(type: number, flags: number, streamId: number, payload: ArrayLike<number> = []): Uint8Array {
  const bytes = new Uint8Array(9 + payload.length);
  new DataView(bytes.buffer).setUint32(0, payload.length << 8 | type);
  bytes[4] = flags;
  new DataView(bytes.buffer).setUint32(5, streamId);
  bytes.set(payload, 9);
  return bytes;
}

/** A client of HTTP/2 that sends what it is told to, right or wrong, over a socket in memory. */
export class Http2Client {
  /** Every frame that came, in order. */
  readonly frames: Frame[] = [];
  /** What came instead of frames, when `raw` was asked for. */
  text = "";
  isClosed = false;
  isPaused = false;
  /** Whether the server's writes are taken; while they are not, its socket counts as full. */
  isReading = true;
  readonly decoder = new HpackDecoder(4096, 2 ** 20);
  readonly #isRaw: boolean;
  readonly #events;
  readonly #cutter = new FrameCutter();
  #unread: Uint8Array[] = [];
  #waiting: (() => void)[] = [];

  constructor(server: Http2Server, { raw = false } = {}) {
    this.#isRaw = raw;
    this.#events = server.connect({
      remoteAddress: "127.0.0.1",
      write: (bytes) => this.#written(bytes),
      end: () => this.close(),
      destroy: () => this.close(),
      pause: () => void (this.isPaused = true),
      resume: () => void (this.isPaused = false),
    });
  }

  /** Preface and SETTINGS, as every client begins. */
  static greeted(server: Http2Server, settings: ArrayLike<number> = []): Http2Client {
    const client = new Http2Client(server);
    client.send(greeting(settings));
    return client;
  }

  /** Sends in one piece. */
  send(...parts: readonly Uint8Array[]): void {
    if (!this.isClosed) this.#events.received(joined(parts));
  }

  frame(type: number, flags: number, streamId: number, payload?: ArrayLike<number>): void {
    this.send(frameBytes(type, flags, streamId, payload));
  }

  headers(streamId: number, fields: Fields, flags = 0x4): void {
    this.frame(1, flags, streamId, encodeHeaderBlock(fields));
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#events.closed();
    this.#wake();
  }

  /** Takes what the server wrote meanwhile. */
  read(): void {
    this.isReading = true;
    const unread = this.#unread;
    this.#unread = [];
    for (const bytes of unread) this.#received(bytes);
    this.#events.drained();
  }

  /** The first frame that fits, which may have come already; fails when the connection closes without it. */
  async until(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      if (this.isClosed) throw new Error(`closed without it; came: ${JSON.stringify(this.frames.map(shown))}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async untilClosed(): Promise<void> {
    while (!this.isClosed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #written(bytes: Uint8Array): boolean {
    if (this.isClosed) return true;
    if (this.isReading) this.#received(bytes);
    else this.#unread.push(bytes);
    return this.isReading;
  }

  #received(bytes: Uint8Array): void {
    if (this.#isRaw) this.text += new TextDecoder().decode(bytes);
    else for (const frame of this.#cutter.cut(bytes)) this.frames.push({ ...frame, payload: frame.payload.slice() });
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function shown({ type, flags, streamId, payload }: Frame): unknown[] {
  return [type, flags, streamId, payload.length];
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
