import type { HttpResponse } from "../http_message.ts";
import type { Exchange, ResponseOutput } from "./exchange.ts";
import { headText, isBodiless, type ResponseHead } from "./response_head.ts";
import type { TextSocket } from "./socket.ts";

/** A body that is larger is not copied behind its head. */
const JOINED_BYTES = 64 * 1024;
// deno-lint-ignore no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/;
const encoder = new TextEncoder();

/** What the output tells its connection. */
export interface OutputEvents {
  /** The answer is handed to the socket whole. */
  answered(exchange: Exchange): void;
  /** The socket takes bytes again. */
  drained(): void;
  /** Whether the connection ends with this answer. */
  isLast(exchange: Exchange): boolean;
}

/** Writes the answers of one connection, and knows whether the client takes them. */
export class Output implements ResponseOutput {
  readonly remoteAddress: string;
  readonly #socket: TextSocket;
  readonly #events: OutputEvents;
  readonly #keepAlive: string;
  #isClosed = false;
  #isChunked = false;
  #hasBody = false;
  /** Unix milliseconds since when the client takes nothing, and how much it was sent without a pause until then. */
  #blockedSince: number | undefined;
  #sent = 0;
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

  /** Bytes that wait for the client, at most. */
  get waitingBytes(): number {
    return this.#sent;
  }

  sendWhole(exchange: Exchange, { status, headers, body }: HttpResponse): void {
    if (!this.#mayAnswer(exchange)) return;
    const now = Date.now();
    const head = headText({ status, headers }, this.#connectionLine(exchange), now);
    // Of an answer to HEAD without a body nobody knows how long the body would be.
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
    if (!this.#mayAnswer(exchange)) return;
    exchange.state = "begun";
    this.#hasBody = !isBodiless(head.status) && exchange.head.method !== "HEAD";
    // A client of HTTP/1.0 knows the end by the connection's.
    this.#isChunked = this.#hasBody && !exchange.head.isOld;
    const framing = this.#isChunked ? "transfer-encoding: chunked\r\n" : "";
    this.#text(`${headText(head, this.#connectionLine(exchange), Date.now())}${framing}\r\n`);
  }

  write(exchange: Exchange, bytes: Uint8Array): void | Promise<void> {
    if (exchange.isGone || exchange.state !== "begun" || !this.#hasBody || bytes.length === 0) return;
    if (this.#isChunked) this.#text(`${bytes.length.toString(16)}\r\n`);
    this.#bytes(bytes);
    if (this.#isChunked) this.#text("\r\n");
    if (this.#blockedSince !== undefined) return new Promise((resolve) => this.#waiting.push(resolve));
  }

  end(exchange: Exchange): void {
    if (exchange.isGone || exchange.state !== "begun") return;
    if (this.#isChunked) this.#text("0\r\n\r\n");
    this.#end(exchange);
  }

  cut(): void {
    if (!this.#isClosed) this.#socket.destroy();
  }

  /** Says that the body may come. */
  askForBody(): void {
    this.#text("HTTP/1.1 100 Continue\r\n\r\n");
  }

  /** The last words on a connection. */
  refuse(bytes: string): void {
    this.#text(bytes);
  }

  drained(): void {
    this.#blockedSince = undefined;
    this.#sent = 0;
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

  #mayAnswer(exchange: Exchange): boolean {
    return !this.#isClosed && exchange.state === "waiting";
  }

  #connectionLine(exchange: Exchange): string {
    return this.#events.isLast(exchange) ? "connection: close\r\n" : this.#keepAlive;
  }

  #withBytes(exchange: Exchange, head: string, body: Uint8Array): void {
    const start = encoder.encode(`${head}content-length: ${body.length}\r\n\r\n`);
    if (exchange.head.method === "HEAD") return this.#bytes(start);
    if (body.length > JOINED_BYTES) {
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
    exchange.state = "answered";
    this.#events.answered(exchange);
  }

  #text(text: string): void {
    if (!this.#isClosed) this.#note(text.length, this.#socket.writeText(text));
  }

  #bytes(bytes: Uint8Array): void {
    if (!this.#isClosed) this.#note(bytes.length, this.#socket.write(bytes));
  }

  #note(length: number, isTaken: boolean): void {
    if (isTaken && this.#blockedSince === undefined) return;
    this.#sent += length;
    this.#blockedSince ??= Date.now();
  }
}
