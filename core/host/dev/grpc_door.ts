import type { RequestHeaders } from "../../net/http2/request_headers.ts";
import type { Http2Stream, StreamSink } from "../../net/http2/stream.ts";
import type { Http2Handler } from "../../net/http2/stream_table.ts";

/** Passes the requests of a gRPC listener to the service that is open, and holds them while there is none. */
export class GrpcDoor implements Http2Handler {
  readonly limits: Http2Handler["limits"];
  readonly notHttp2Response: Uint8Array;
  #newest: Http2Handler;
  #isOpen = true;
  #held: HeldStream[] = [];

  constructor(service: Http2Handler) {
    this.limits = service.limits;
    this.notHttp2Response = service.notHttp2Response;
    this.#newest = service;
  }

  /** Passes requests to a service, first those that were held. */
  pass(service: Http2Handler): void {
    this.#newest = service;
    this.#isOpen = true;
    for (const stream of this.#held.splice(0)) stream.pass(service);
  }

  /** Holds requests from now on. */
  hold(): void {
    this.#isOpen = false;
  }

  open(stream: Http2Stream, headers: RequestHeaders): StreamSink | undefined {
    if (this.#isOpen) return this.#newest.open(stream, headers);
    const held = new HeldStream(stream, headers);
    this.#held.push(held);
    return held;
  }

  refuseHeaders(stream: Http2Stream): void {
    this.#newest.refuseHeaders(stream);
  }
}

/** Keeps a request until a service takes it. The window of the stream bounds what a client can send meanwhile. */
class HeldStream implements StreamSink {
  readonly #stream: Http2Stream;
  readonly #headers: RequestHeaders;
  readonly #parts: Uint8Array[] = [];
  #hasEnded = false;
  #isAborted = false;

  constructor(stream: Http2Stream, headers: RequestHeaders) {
    this.#stream = stream;
    this.#headers = headers;
  }

  data(bytes: Uint8Array): void {
    this.#parts.push(bytes.slice());
  }
  end(): void {
    this.#hasEnded = true;
  }
  aborted(): void {
    this.#isAborted = true;
    this.#stream.release();
  }
  writable(): void {}

  pass(service: Http2Handler): void {
    if (this.#isAborted) return;
    const stream = this.#stream;
    stream.sink = undefined;
    const sink = stream.sink = service.open(stream, this.#headers);
    const last = this.#hasEnded ? this.#parts.length - 1 : -1;
    for (const [index, bytes] of this.#parts.entries()) sink?.data(bytes, index === last);
    if (this.#hasEnded) sink?.end();
    if (sink === undefined && stream.isClosed) stream.release();
  }
}
