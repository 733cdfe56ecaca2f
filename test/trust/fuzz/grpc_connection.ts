import { connect, type Socket } from "node:net";
import { HpackDecoder } from "../../../core/net/hpack/decoder.ts";
import { encodeHeaderBlock } from "../../../core/net/hpack/encoder.ts";
import { clientPreface, concatBytes, type Frame, frameBytes, FrameParser } from "../../harness/http2_client.ts";
import { grpcOutcome, noOutcome, type Outcome } from "./outcome.ts";
import type { GrpcRequest } from "./grpc_requests.ts";

const [DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE] = [0, 1, 3, 4, 6, 7, 8];
const [END_STREAM, ACK, END_HEADERS] = [1, 1, 4];
const INITIAL_WINDOW_SIZE = 4;
const FRAME_BYTES = 16_384;
const DEFAULT_WINDOW = 65_535;
/** The server may send this much over a connection, which has no more calls than this. */
const RECEIVE_WINDOW = [0x3f, 0xff, 0, 0];
const MAX_CALLS = 300;

/** Makes gRPC calls one after the other, over one connection as long as the server keeps it. */
export class GrpcConnection {
  readonly #port: number;
  #link: Link | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async send(request: GrpcRequest): Promise<Outcome> {
    const isReused = this.#link?.isUsable ?? false;
    const outcome = await (isReused ? this.#link! : this.#open()).call(request);
    return outcome.code === "closed" && isReused ? await this.#open().call(request) : outcome;
  }

  close(): void {
    this.#link?.close();
    this.#link = undefined;
  }

  #open(): Link {
    this.#link?.close();
    return this.#link = new Link(this.#port);
  }
}

/** One connection. */
class Link {
  readonly #socket: Socket;
  readonly #decoder = new HpackDecoder(4096, 2 ** 20);
  readonly #parser = new FrameParser();
  #calls = 0;
  #isClosed = false;
  #isConnected = false;
  #isLeaving = false;
  #window = DEFAULT_WINDOW;
  #streamWindow = DEFAULT_WINDOW;
  #initialWindow = DEFAULT_WINDOW;
  #unsent = new Uint8Array();
  #fields = new Map<string, string>();
  #done: (() => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("connect", () => this.#isConnected = true);
    this.#socket.on("data", (chunk: Uint8Array) => {
      for (const frame of this.#parser.parse(chunk)) this.#receive(frame);
    });
    this.#socket.on("error", () => this.close());
    this.#socket.on("close", () => this.close());
    this.#socket.write(concatBytes([
      clientPreface([0, INITIAL_WINDOW_SIZE, 0x3f, 0xff, 0xff, 0xff]),
      frameBytes(WINDOW_UPDATE, 0, 0, RECEIVE_WINDOW),
    ]));
  }

  get isUsable(): boolean {
    return !this.#isClosed && !this.#isLeaving && this.#calls < MAX_CALLS;
  }

  async call({ fields, body }: GrpcRequest): Promise<Outcome> {
    const started = performance.now();
    this.#calls++;
    this.#fields = new Map();
    this.#streamWindow = this.#initialWindow;
    this.#unsent = body;
    const ended = new Promise<void>((resolve) => this.#done = resolve);
    if (!this.#isClosed) {
      this.#write(HEADERS, body.length === 0 ? END_HEADERS | END_STREAM : END_HEADERS, encodeHeaderBlock(fields));
      this.#sendBody();
      await ended;
    }
    const milliseconds = performance.now() - started;
    if (this.#isClosed && this.#fields.size === 0) {
      return noOutcome(this.#isConnected ? "closed" : "refused", milliseconds);
    }
    return grpcOutcome(this.#fields, milliseconds);
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
    this.#done?.();
  }

  get #streamId(): number {
    return 2 * this.#calls - 1;
  }

  #write(type: number, flags: number, payload: ArrayLike<number>): void {
    this.#socket.write(frameBytes(type, flags, this.#streamId, payload));
  }

  /** Sends as much of the body as the windows allow. */
  #sendBody(): void {
    for (;;) {
      const count = Math.min(this.#unsent.length, this.#window, this.#streamWindow, FRAME_BYTES);
      if (count <= 0) return;
      const part = this.#unsent.subarray(0, count);
      this.#unsent = this.#unsent.subarray(count);
      this.#window -= count;
      this.#streamWindow -= count;
      this.#write(DATA, this.#unsent.length === 0 ? END_STREAM : 0, part);
    }
  }

  #receive({ type, flags, streamId, payload }: Frame): void {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    if (type === SETTINGS && (flags & ACK) === 0) this.#applySettings(view);
    else if (type === PING && (flags & ACK) === 0) this.#socket.write(frameBytes(PING, ACK, 0, payload.slice()));
    else if (type === GOAWAY) this.#isLeaving = true;
    else if (type === WINDOW_UPDATE) this.#widen(streamId, view.getUint32(0));
    else if (type === HEADERS) this.#readHeaders(payload, streamId);
    const isOver = type === RST_STREAM || (type === HEADERS || type === DATA) && (flags & END_STREAM) !== 0;
    if (!isOver || streamId !== this.#streamId) return;
    // An early response: the rest of the body is not sent.
    if (this.#unsent.length > 0) this.#write(RST_STREAM, 0, [0, 0, 0, 8]);
    this.#unsent = new Uint8Array();
    this.#done?.();
  }

  #readHeaders(payload: Uint8Array, streamId: number): void {
    const { fields } = this.#decoder.decode(payload, 0, payload.length);
    if (streamId !== this.#streamId) return;
    for (const { name, value } of fields) this.#fields.set(name, value);
  }

  #applySettings(view: DataView): void {
    for (let at = 0; at + 6 <= view.byteLength; at += 6) {
      if (view.getUint16(at) !== INITIAL_WINDOW_SIZE) continue;
      const size = view.getUint32(at + 2);
      this.#streamWindow += size - this.#initialWindow;
      this.#initialWindow = size;
    }
    this.#socket.write(frameBytes(SETTINGS, ACK, 0));
    this.#sendBody();
  }

  #widen(streamId: number, bytes: number): void {
    if (streamId === 0) this.#window += bytes;
    else if (streamId === this.#streamId) this.#streamWindow += bytes;
    this.#sendBody();
  }
}
