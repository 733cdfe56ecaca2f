import type { HttpResponse } from "../http_message.ts";
import type { Exchange, ResponseOutput } from "./exchange.ts";
import { headText, isBodiless, type ResponseHead } from "./response_head.ts";
import type { TextSocket } from "./socket.ts";

/** The maximum size of a body that is copied to send it together with its head. */
const MAX_COPIED_BYTES = 64 * 1024;
// deno-lint-ignore no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/;
const encoder = new TextEncoder();

/** The callbacks of an output to its connection. */
export interface OutputEvents {
  /** Called when a response has been completely handed to the socket. */
  sent(exchange: Exchange): void;
  /** Called when the socket accepts bytes again. */
  drained(): void;
  /** Returns true if the connection ends after this response. */
  isLast(exchange: Exchange): boolean;
}

/** Writes the responses of one connection, and tracks whether the client reads them. */
export class Output implements ResponseOutput {
  readonly remoteAddress: string;
  readonly #socket: TextSocket;
  readonly #events: OutputEvents;
  readonly #keepAlive: string;
  #isClosed = false;
  #isChunked = false;
  #hasBody = false;
  /** The time since which the client has not read anything, in unix milliseconds. */
  #blockedSince: number | undefined;
  #unreadBytes = 0;
  #waiting: (() => void)[] = [];

  constructor(socket: TextSocket, events: OutputEvents, keepAlive: string) {
    this.remoteAddress = socket.remoteAddress;
    this.#socket = socket;
    this.#events = events;
    this.#keepAlive = keepAlive;
  }

  get blockedSince(): number | undefined {
    return this.#blockedSince;
  }

  /** An upper bound of the bytes that the client has not read. */
  get waitingBytes(): number {
    return this.#unreadBytes;
  }

  sendResponse(exchange: Exchange, { status, headers, body }: HttpResponse): void {
    if (!this.#mayRespond(exchange)) return;
    const now = Date.now();
    const head = headText({ status, headers }, this.#connectionLine(exchange), now);
    // A handler may leave out the body of a response to HEAD, so an empty one does not tell the length.
    if (isBodiless(status) || exchange.head.method === "HEAD" && body.length === 0) this.#text(`${head}\r\n`);
    else if (typeof body !== "string") this.#withBytes(exchange, head, body);
    else if (BEYOND_ASCII.test(body)) this.#withBytes(exchange, head, encoder.encode(body));
    else {
      const start = `${head}content-length: ${body.length}\r\n\r\n`;
      this.#text(exchange.head.method === "HEAD" ? start : start + body);
    }
    this.#end(exchange);
  }

  begin(exchange: Exchange, head: ResponseHead): void {
    if (!this.#mayRespond(exchange)) return;
    // A streamed body stops when its caller leaves, so neither its end nor the next request would ever come.
    if (exchange.isGone) return this.cut();
    exchange.state = "streaming";
    this.#hasBody = !isBodiless(head.status) && exchange.head.method !== "HEAD";
    // For HTTP/1.0 the end of the connection is the end of the body.
    this.#isChunked = this.#hasBody && !exchange.head.isHttp10;
    const framing = this.#isChunked ? "transfer-encoding: chunked\r\n" : "";
    this.#text(`${headText(head, this.#connectionLine(exchange), Date.now())}${framing}\r\n`);
  }

  write(exchange: Exchange, bytes: Uint8Array): void | Promise<void> {
    if (exchange.isGone || exchange.state !== "streaming" || !this.#hasBody || bytes.length === 0) return;
    if (this.#isChunked) this.#text(`${bytes.length.toString(16)}\r\n`);
    this.#bytes(bytes);
    if (this.#isChunked) this.#text("\r\n");
    if (this.#blockedSince !== undefined) return new Promise((resolve) => this.#waiting.push(resolve));
  }

  end(exchange: Exchange): void {
    if (exchange.isGone || exchange.state !== "streaming") return;
    if (this.#isChunked) this.#text("0\r\n\r\n");
    this.#end(exchange);
  }

  cut(): void {
    if (!this.#isClosed) this.#socket.destroy();
  }

  /** Asks the client to send the body. */
  sendContinue(): void {
    this.#text("HTTP/1.1 100 Continue\r\n\r\n");
  }

  /** Sends the last response of a connection, formatted by the caller. */
  sendFinal(response: string): void {
    this.#text(response);
  }

  drained(): void {
    this.#blockedSince = undefined;
    this.#unreadBytes = 0;
    this.#wakeAll();
    this.#events.drained();
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #mayRespond(exchange: Exchange): boolean {
    return !this.#isClosed && exchange.state === "waiting";
  }

  #connectionLine(exchange: Exchange): string {
    return this.#events.isLast(exchange) ? "connection: close\r\n" : this.#keepAlive;
  }

  #withBytes(exchange: Exchange, head: string, body: Uint8Array): void {
    const start = encoder.encode(`${head}content-length: ${body.length}\r\n\r\n`);
    if (exchange.head.method === "HEAD") return this.#bytes(start);
    if (body.length > MAX_COPIED_BYTES) {
      this.#bytes(start);
      this.#bytes(body);
      return;
    }
    const whole = new Uint8Array(start.length + body.length);
    whole.set(start);
    whole.set(body, start.length);
    this.#bytes(whole);
  }

  #end(exchange: Exchange): void {
    exchange.state = "sent";
    this.#events.sent(exchange);
  }

  #text(text: string): void {
    if (!this.#isClosed) this.#count(text.length, this.#socket.writeText(text));
  }

  #bytes(bytes: Uint8Array): void {
    if (!this.#isClosed) this.#count(bytes.length, this.#socket.write(bytes));
  }

  #count(length: number, isAccepted: boolean): void {
    if (isAccepted && this.#blockedSince === undefined) return;
    this.#unreadBytes += length;
    this.#blockedSince ??= Date.now();
  }
}
