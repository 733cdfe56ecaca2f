import { concatBytes } from "../../base/bytes.ts";
import type { HttpResponse } from "../http_message.ts";
import { ChunkedBody } from "./chunked.ts";
import { Exchange } from "./exchange.ts";
import { HttpError, tooSlow } from "./error.ts";
import { Output } from "./output.ts";
import { RequestBody } from "./request_body.ts";
import { endOfHead, readHead, type RequestHead } from "./request_head.ts";
import { headText } from "./response_head.ts";
import type { Http1Handler } from "./handler.ts";
import type { TextSocket } from "./socket.ts";

/** The maximum number of pipelined bytes that are read while a request is pending. */
const MAX_AHEAD = 64 * 1024;
/** The time for a client to close its side after everything has been sent. */
const LINGER_MILLISECONDS = 2000;

/** One connection of a client (RFC 9112). Requests are handled one after another. */
export class Http1Connection {
  readonly #socket: TextSocket;
  readonly #handler: Http1Handler;
  readonly #output: Output;
  /** Received bytes that have not been parsed: an incomplete head, or pipelined requests. */
  #rest: Uint8Array | undefined;
  #exchange: Exchange | undefined;
  /** The number of missing bytes of the body of the exchange, or the decoder of its chunks. */
  #missing: number | ChunkedBody = 0;
  /** The time at which the current phase began, in unix milliseconds. */
  #since: number;
  #phase: "opened" | "head" | "exchange" | "idle" | "closing" = "opened";
  #isLast = false;
  #isFlushed = false;
  #isPaused = false;
  #isClosed = false;

  constructor(socket: TextSocket, handler: Http1Handler, keepAlive: string, now: number) {
    this.#socket = socket;
    this.#handler = handler;
    this.#since = now;
    this.#output = new Output(socket, {
      sent: () => this.#next(),
      drained: () => this.#next(),
      isLast: ({ head }) => this.#isLast ||= !head.keepsAlive,
    }, keepAlive);
  }

  receive(chunk: Uint8Array): void {
    if (this.#isClosed || this.#phase === "closing") return;
    this.#parse(this.#rest === undefined ? chunk : concatBytes([this.#rest, chunk], this.#rest.length + chunk.length));
  }

  drained(): void {
    if (!this.#isClosed) this.#output.drained();
  }

  /** The client has closed its sending side. It has probably disconnected, but it may still read the response. */
  ended(): void {
    if (this.#isClosed) return;
    this.#isLast = true;
    this.#exchange?.body.abort();
    this.#exchange?.leave();
    if (this.#exchange?.state !== "waiting") this.#close();
  }

  /** The last response has been sent. */
  flushed(): void {
    this.#isFlushed = true;
    this.#since = Date.now();
  }

  /** The socket has been closed by either side. */
  socketClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rest = undefined;
    this.#output.close();
    this.#exchange?.body.abort();
    this.#exchange?.leave();
  }

  /** Enforces the time limits. Called regularly. */
  sweep(now: number): void {
    const { headerSeconds, bodySeconds, idleSeconds, responseSeconds, responseBytesPerSecond } = this.#handler.limits;
    const { blockedSince, waitingBytes } = this.#output;
    const blocked = now - (blockedSince ?? now);
    const waited = now - this.#since;
    const responseTime = (responseSeconds + waitingBytes / responseBytesPerSecond) * 1000;
    if (this.#phase === "closing") {
      if (waited > (this.#isFlushed ? LINGER_MILLISECONDS : responseTime)) this.destroy();
    } else if (blocked > responseTime) this.destroy();
    else if (this.#phase === "idle") {
      if (waited > idleSeconds * 1000) this.destroy();
    } else if (this.#phase !== "exchange") {
      if (waited > headerSeconds * 1000) this.#fail(tooSlow());
    } else {
      const { startedAt, state, body } = this.#exchange!;
      if (body.isComplete || now - startedAt <= bodySeconds * 1000) return;
      if (state === "waiting") this.#fail(tooSlow());
      else if (state === "sent") this.destroy();
    }
  }

  /** Closes the connection after its next response. */
  beginClose(): void {
    this.#isLast = true;
  }

  /** Closes the connection if no request is pending. */
  closeIdle(): void {
    if (this.#phase !== "exchange" && this.#phase !== "closing") this.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
    this.socketClosed();
  }

  #parse(bytes: Uint8Array): void {
    try {
      this.#take(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }

  #take(bytes: Uint8Array): void {
    let at = 0;
    this.#rest = undefined;
    while (at < bytes.length && this.#phase !== "closing") {
      const exchange = this.#exchange;
      if (exchange === undefined) {
        const next = this.#takeHead(bytes, at);
        if (next === at) break;
        at = next;
      } else if (!exchange.body.isComplete) at = this.#takeBody(exchange.body, bytes, at);
      else break;
    }
    if (at === bytes.length || this.#phase === "closing") return;
    this.#rest = at === 0 ? bytes : bytes.subarray(at);
    if (this.#phase === "exchange" && this.#rest.length > MAX_AHEAD) this.#pause();
  }

  /** Returns the offset after the bytes that it consumed, or `at` if the head is incomplete. */
  #takeHead(bytes: Uint8Array, at: number): number {
    // Empty lines before a request are ignored (RFC 9112, section 2.2).
    if (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) return at + 2;
    if (this.#phase === "idle") this.#begin("head");
    const { limits, latin1 } = this.#handler;
    const text = latin1(bytes, at, Math.min(bytes.length, at + limits.headerBytes + 4));
    const end = endOfHead(text, limits);
    if (end === 0) return at;
    const head = readHead(text.slice(0, end - 4), limits);
    this.#open(head, bytes.length > at + end);
    const { body } = this.#exchange!;
    at += end;
    // Most bodies arrive with their heads and are complete before the handler reads them.
    if (!body.isComplete && at < bytes.length) at = this.#takeBody(body, bytes, at);
    this.#handler.handle(this.#exchange!);
    return at;
  }

  #open(head: RequestHead, hasBody: boolean): void {
    const body = new RequestBody((isFlowing) => isFlowing ? this.#resume() : this.#pause());
    this.#missing = head.bodyLength ?? new ChunkedBody();
    this.#begin("exchange");
    this.#exchange = new Exchange(this.#output, head, body, this.#since);
    if (this.#missing === 0) body.complete();
    // A body that would be refused for its size is not requested.
    else if (head.expectsContinue && !hasBody && !(Number(head.bodyLength) > this.#handler.limits.httpBodyBytes)) {
      this.#output.sendContinue();
    }
  }

  #takeBody(body: RequestBody, bytes: Uint8Array, at: number): number {
    const missing = this.#missing;
    let isDone: boolean;
    if (typeof missing === "number") {
      const end = Math.min(bytes.length, at + missing);
      body.push(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
      this.#missing = missing - (end - at);
      at = end;
      isDone = this.#missing === 0;
    } else {
      at = missing.take(bytes, at, (part) => body.push(part));
      isDone = missing.isDone;
    }
    if (isDone) {
      body.complete();
      if (this.#exchange!.state === "sent") this.#next();
    }
    return at;
  }

  /** Proceeds to the next request once this one has been received and the client reads its response. */
  #next(): void {
    const exchange = this.#exchange;
    if (exchange?.state !== "sent" || this.#isClosed || this.#phase === "closing") return;
    exchange.body.discard();
    if (this.#isLast) return this.#close();
    if (!exchange.body.isComplete || this.#output.blockedSince !== undefined) return;
    this.#exchange = undefined;
    this.#begin("idle");
    this.#resume();
    if (this.#rest !== undefined) this.#parse(this.#rest);
  }

  #begin(phase: "head" | "exchange" | "idle" | "closing"): void {
    this.#phase = phase;
    this.#since = Date.now();
  }

  /** Responds with an error if possible, and closes the connection. */
  #fail(thrown: unknown): void {
    const error = thrown instanceof HttpError ? thrown : new HttpError(500, "kernel.internal", "internal error");
    const exchange = this.#exchange;
    // A response that has begun cannot be replaced by an error.
    if (exchange !== undefined && exchange.state === "streaming") this.destroy();
    else {
      if (exchange?.state !== "sent") {
        this.#output.sendFinal(finalResponse(this.#handler.errorResponse(error), Date.now()));
      }
      this.#close();
      exchange?.body.abort();
      exchange?.leave();
    }
    if (error !== thrown) throw thrown;
  }

  /** Sends buffered bytes, then closes. Input is still read and dropped, since a reset could discard the response. */
  #close(): void {
    if (this.#phase === "closing" || this.#isClosed) return;
    this.#begin("closing");
    this.#rest = undefined;
    this.#output.close();
    this.#resume();
    this.#socket.end();
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#socket.pause();
  }

  #resume(): void {
    if (!this.#isPaused || this.#isClosed) return;
    this.#isPaused = false;
    this.#socket.resume();
  }
}

/**
 * Returns the bytes of a response after which the connection is closed.
 *
 * @param now unix milliseconds
 */
export function finalResponse({ status, headers, body }: HttpResponse, now: number): string {
  const retry: [string, string][] = status === 429 || status === 503 ? [["retry-after", "1"]] : [];
  const head = headText({ status, headers: [...headers, ...retry] }, "connection: close\r\n", now);
  return `${head}content-length: ${body.length}\r\n\r\n${body}`;
}
