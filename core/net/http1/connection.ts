import { joined } from "../../base/bytes.ts";
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

/** What a client may send ahead while its last request is worked for. */
const MAX_AHEAD = 64 * 1024;
/** How long a client that was sent everything may take to close its side. */
const LINGER_MILLISECONDS = 2000;

/** One connection of a client (RFC 9112): a request after the other, each answered before the next is looked at. */
export class Http1Connection {
  readonly #socket: TextSocket;
  readonly #handler: Http1Handler;
  readonly #output: Output;
  /** Bytes that were not looked at yet, or are a head that is not whole. */
  #rest: Uint8Array | undefined;
  #exchange: Exchange | undefined;
  /** What the body of the exchange still lacks. */
  #missing: number | ChunkedBody = 0;
  /** Unix milliseconds at which the connection, its head or its idle time began. */
  #since: number;
  #phase: "opened" | "head" | "exchange" | "idle" | "leaving" = "opened";
  #isLast = false;
  #isFlushed = false;
  #isPaused = false;
  #isClosed = false;

  constructor(socket: TextSocket, handler: Http1Handler, keepAlive: string, now: number) {
    this.#socket = socket;
    this.#handler = handler;
    this.#since = now;
    this.#output = new Output(socket, {
      answered: () => this.#goOn(),
      drained: () => this.#goOn(),
      isLast: ({ head }) => this.#isLast ||= !head.keepsAlive,
    }, keepAlive);
  }

  /** Bytes came. */
  receive(chunk: Uint8Array): void {
    if (this.#isClosed || this.#phase === "leaving") return;
    this.#look(this.#rest === undefined ? chunk : joined([this.#rest, chunk], this.#rest.length + chunk.length));
  }

  drained(): void {
    if (!this.#isClosed) this.#output.drained();
  }

  /** The client sends nothing more: as far as anybody can tell it went away, but it may still read the answer. */
  ended(): void {
    if (this.#isClosed) return;
    this.#isLast = true;
    this.#exchange?.body.break();
    this.#exchange?.leave();
    if (this.#exchange?.state !== "waiting") this.#leave();
  }

  /** Everything was sent after which the connection ends. */
  flushed(): void {
    this.#isFlushed = true;
    this.#since = Date.now();
  }

  /** The socket is closed, by either side. */
  socketClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rest = undefined;
    this.#output.close();
    this.#exchange?.body.break();
    this.#exchange?.leave();
  }

  /** Looks after what time alone brings; called now and then. */
  sweep(now: number): void {
    const { headerSeconds, bodySeconds, idleSeconds, responseSeconds, responseBytesPerSecond } = this.#handler.limits;
    const { blockedSince, waitingBytes } = this.#output;
    const blocked = now - (blockedSince ?? now);
    const waited = now - this.#since;
    const answerTime = (responseSeconds + waitingBytes / responseBytesPerSecond) * 1000;
    if (this.#phase === "leaving") {
      if (waited > (this.#isFlushed ? LINGER_MILLISECONDS : answerTime)) this.destroy();
    } else if (blocked > answerTime) this.destroy();
    else if (this.#phase === "idle") {
      if (waited > idleSeconds * 1000) this.destroy();
    } else if (this.#phase !== "exchange") {
      if (waited > headerSeconds * 1000) this.#fail(tooSlow());
    } else {
      const { startedAt, state, body } = this.#exchange!;
      if (body.isComplete || now - startedAt <= bodySeconds * 1000) return;
      if (state === "waiting") this.#fail(tooSlow());
      else if (state === "answered") this.destroy();
    }
  }

  /** From now on an answer is the connection's last. */
  beginClose(): void {
    this.#isLast = true;
  }

  /** Closes a connection on which nothing is under way. */
  closeIdle(): void {
    if (this.#phase !== "exchange" && this.#phase !== "leaving") this.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
    this.socketClosed();
  }

  #look(bytes: Uint8Array): void {
    try {
      this.#take(bytes);
    } catch (fault) {
      this.#fail(fault);
    }
  }

  #take(bytes: Uint8Array): void {
    let at = 0;
    this.#rest = undefined;
    while (at < bytes.length && this.#phase !== "leaving") {
      const exchange = this.#exchange;
      if (exchange === undefined) {
        const next = this.#takeHead(bytes, at);
        if (next === at) break;
        at = next;
      } else if (!exchange.body.isComplete) at = this.#takeBody(exchange.body, bytes, at);
      else break;
    }
    if (at === bytes.length || this.#phase === "leaving") return;
    this.#rest = at === 0 ? bytes : bytes.subarray(at);
    if (this.#phase === "exchange" && this.#rest.length > MAX_AHEAD) this.#pause();
  }

  /** Answers where the body begins, or `at` when the head is not whole. */
  #takeHead(bytes: Uint8Array, at: number): number {
    // An empty line before a request is passed over (RFC 9112, section 2.2).
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
    // Most bodies come with their heads: they are whole before anybody asks.
    if (!body.isComplete && at < bytes.length) at = this.#takeBody(body, bytes, at);
    this.#handler.answer(this.#exchange!);
    return at;
  }

  #open(head: RequestHead, hasBody: boolean): void {
    const body = new RequestBody((isWanted) => isWanted ? this.#resume() : this.#pause());
    this.#missing = head.bodyLength ?? new ChunkedBody();
    this.#begin("exchange");
    this.#exchange = new Exchange(this.#output, head, body, this.#since);
    if (this.#missing === 0) body.complete();
    // A body that is too large anyway is not asked for.
    else if (head.expectsContinue && !hasBody && !(Number(head.bodyLength) > this.#handler.limits.httpBodyBytes)) {
      this.#output.askForBody();
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
      if (this.#exchange!.state === "answered") this.#goOn();
    }
    return at;
  }

  /** Goes on to the next request, once all of this one came and the client takes its answer. */
  #goOn(): void {
    const exchange = this.#exchange;
    if (exchange?.state !== "answered" || this.#isClosed || this.#phase === "leaving") return;
    exchange.body.discard();
    if (this.#isLast) return this.#leave();
    if (!exchange.body.isComplete || this.#output.blockedSince !== undefined) return;
    this.#exchange = undefined;
    this.#begin("idle");
    this.#resume();
    if (this.#rest !== undefined) this.#look(this.#rest);
  }

  #begin(phase: "head" | "exchange" | "idle" | "leaving"): void {
    this.#phase = phase;
    this.#since = Date.now();
  }

  /** Answers what cannot be served, and closes. */
  #fail(thrown: unknown): void {
    const error = thrown instanceof HttpError ? thrown : new HttpError(500, "kernel.internal", "internal error");
    const exchange = this.#exchange;
    // Within an answer there is no room for another.
    if (exchange !== undefined && exchange.state === "begun") this.destroy();
    else {
      if (exchange?.state !== "answered") {
        this.#output.refuse(finalResponse(this.#handler.errorResponse(error), Date.now()));
      }
      this.#leave();
      exchange?.body.break();
      exchange?.leave();
    }
    if (error !== thrown) throw thrown;
  }

  /** Sends what waits and closes; what still comes goes by, since a reset could take the answer away. */
  #leave(): void {
    if (this.#phase === "leaving" || this.#isClosed) return;
    this.#begin("leaving");
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
