import { encodeHeaderBlock } from "../../core/net/hpack/encoder.ts";
import { HpackDecoder } from "../../core/net/hpack/decoder.ts";
import type { Http2Server } from "../../core/net/http2/server.ts";
import { PREFACE } from "../../core/net/http2/protocol.ts";

/** An HTTP/2 frame. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Uint8Array;
}

export type Fields = readonly (readonly [name: string, value: string])[];

/** Returns the connection preface and the SETTINGS frame of a client. */
export function clientPreface(settings: ArrayLike<number> = []): Uint8Array {
  return concatBytes([new TextEncoder().encode(PREFACE), frameBytes(4, 0, 0, settings)]);
}

/** The header fields of a gRPC call. */
export function grpcRequest(path: string, token?: string, metadata: Readonly<Record<string, string>> = {}): Fields {
  return [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", path],
    ["content-type", "application/grpc"],
    ["te", "trailers"],
    ...(token === undefined ? [] : [["x-cloud-access-token", token] as const]),
    ...Object.entries(metadata),
  ];
}

/** Parses frames from the chunks of a connection. A payload is valid until the next chunk is parsed. */
export class FrameParser {
  #rest = new Uint8Array();

  *parse(chunk: Uint8Array): Generator<Frame> {
    const bytes = this.#rest.length === 0 ? chunk : concatBytes([this.#rest, chunk]);
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

/** Encodes a frame. */
export function frameBytes(type: number, flags: number, streamId: number, payload: ArrayLike<number> = []): Uint8Array {
  const bytes = new Uint8Array(9 + payload.length);
  new DataView(bytes.buffer).setUint32(0, payload.length << 8 | type);
  bytes[4] = flags;
  new DataView(bytes.buffer).setUint32(5, streamId);
  bytes.set(payload, 9);
  return bytes;
}

/** An HTTP/2 client over an in-memory socket, which sends any frames, valid or not. */
export class Http2Client {
  /** The received frames, in order. */
  readonly frames: Frame[] = [];
  /** The received text, if the client is `raw`. */
  text = "";
  isClosed = false;
  isPaused = false;
  /** False to stop reading, which makes the server's socket appear full. */
  isReading = true;
  readonly decoder = new HpackDecoder(4096, 2 ** 20);
  readonly #isRaw: boolean;
  readonly #events;
  readonly #parser = new FrameParser();
  #unread: Uint8Array[] = [];
  #waiting: (() => void)[] = [];

  constructor(server: Http2Server, { raw = false } = {}) {
    this.#isRaw = raw;
    this.#events = server.connect({
      remoteAddress: "127.0.0.1",
      write: (bytes) => this.#onWrite(bytes),
      end: () => this.close(),
      destroy: () => this.close(),
      pause: () => void (this.isPaused = true),
      resume: () => void (this.isPaused = false),
    });
  }

  /** Creates a client that has sent its preface and SETTINGS. */
  static connect(server: Http2Server, settings: ArrayLike<number> = []): Http2Client {
    const client = new Http2Client(server);
    client.send(clientPreface(settings));
    return client;
  }

  /** Sends the parts as one chunk. */
  send(...parts: readonly Uint8Array[]): void {
    if (!this.isClosed) this.#events.received(concatBytes(parts));
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

  /** Reads everything that the server has written, and continues to read. */
  read(): void {
    this.isReading = true;
    const unread = this.#unread;
    this.#unread = [];
    for (const bytes of unread) this.#onBytes(bytes);
    this.#events.drained();
  }

  /**
   * Waits for a frame that matches. It may have arrived already.
   *
   * @throws Error if the connection closes before the frame arrives
   */
  async until(matches: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(matches);
      if (found !== undefined) return found;
      if (this.isClosed) {
        throw new Error(`closed before the frame arrived; received: ${JSON.stringify(this.frames.map(summary))}`);
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async untilClosed(): Promise<void> {
    while (!this.isClosed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #onWrite(bytes: Uint8Array): boolean {
    if (this.isClosed) return true;
    if (this.isReading) this.#onBytes(bytes);
    else this.#unread.push(bytes);
    return this.isReading;
  }

  #onBytes(bytes: Uint8Array): void {
    if (this.#isRaw) this.text += new TextDecoder().decode(bytes);
    else for (const frame of this.#parser.parse(bytes)) this.frames.push({ ...frame, payload: frame.payload.slice() });
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function summary({ type, flags, streamId, payload }: Frame): unknown[] {
  return [type, flags, streamId, payload.length];
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
