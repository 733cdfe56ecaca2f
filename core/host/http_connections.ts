import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ConnectionCounts, type ConnectionRefusal } from "../connection_counts.ts";
import type { Limits } from "../limits.ts";

const CHECK_MILLISECONDS = 1000;
/** How long a refused connection has to read why. */
const REFUSED_MILLISECONDS = 2000;

const REFUSALS: Readonly<Record<ConnectionRefusal, { readonly status: string; readonly json: string }>> = {
  all: { status: "503 Service Unavailable", json: refusal(503, "too many connections are open") },
  address: { status: "429 Too Many Requests", json: refusal(429, "too many connections are open from your address") },
};

/** The request that a connection is at, or was at last. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Unix milliseconds. */
  readonly started: number;
  /** What the connection had sent before. */
  readonly sentBefore: number;
  /** Since when the answer waits for its reader. */
  waitingSince: number | undefined;
}

/** Keeps a node:http server's connections within the limits: how many there are, and how slow they may be. */
export class HttpConnections {
  readonly #limits: Limits;
  readonly #counts: ConnectionCounts;
  readonly #exchanges = new Map<Socket, Exchange>();
  readonly #refused = new WeakSet<Socket>();
  readonly #timer: ReturnType<typeof setInterval>;

  /** @param isPlain false when the server speaks TLS, where a refused connection is closed without a word */
  constructor(server: Server, limits: Limits, isPlain: boolean) {
    this.#limits = limits;
    this.#counts = new ConnectionCounts(limits.httpConnections, limits.httpConnectionsPerAddress);
    server.prependListener("connection", (socket: Socket) => this.#enter(socket, isPlain));
    this.#timer = setInterval(() => this.#check(Date.now()), CHECK_MILLISECONDS);
    this.#timer.unref();
    server.once("close", () => clearInterval(this.#timer));
  }

  /** Notes what a connection is at. False when it was refused: then nothing must be answered. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { socket } = incoming;
    if (this.#refused.has(socket)) return false;
    if (!this.#exchanges.has(socket)) socket.once("close", () => this.#exchanges.delete(socket));
    const sentBefore = socket.bytesWritten;
    this.#exchanges.set(socket, { incoming, outgoing, started: Date.now(), sentBefore, waitingSince: undefined });
    return true;
  }

  #enter(socket: Socket, isPlain: boolean): void {
    const address = socket.remoteAddress ?? "";
    const refused = this.#counts.enter(address);
    if (refused !== undefined) {
      this.#refused.add(socket);
      refuse(socket, refused, isPlain);
      return;
    }
    socket.once("close", () => this.#counts.leave(address));
  }

  #check(now: number): void {
    for (const [socket, exchange] of this.#exchanges) {
      if (this.#isTooSlow(socket, exchange, now)) socket.destroy();
    }
  }

  #isTooSlow(socket: Socket, exchange: Exchange, now: number): boolean {
    const { incoming, outgoing, started } = exchange;
    const { bodySeconds, answerSeconds, answerBytesPerSecond } = this.#limits;
    // The runtime looks after requests without an answer; here one was answered before it came whole.
    if (!incoming.complete && outgoing.writableFinished) {
      incoming.resume();
      return now - started > bodySeconds * 1000;
    }
    const isWaiting = outgoing.writableEnded ? !outgoing.writableFinished : outgoing.writableNeedDrain;
    if (!isWaiting) {
      exchange.waitingSince = undefined;
      return false;
    }
    exchange.waitingSince ??= now;
    // What is written here the runtime holds until it is taken; a stream waits for that with each piece.
    const bytes = outgoing.writableEnded ? socket.bytesWritten - exchange.sentBefore : 0;
    return now - exchange.waitingSince > (answerSeconds + bytes / answerBytesPerSecond) * 1000;
  }
}

function refuse(socket: Socket, refused: ConnectionRefusal, isPlain: boolean): void {
  socket.on("error", () => socket.destroy());
  if (!isPlain) {
    socket.destroy();
    return;
  }
  const { status, json } = REFUSALS[refused];
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\nretry-after: 1\r\n`;
  socket.end(`${head}content-length: ${json.length}\r\nconnection: close\r\n\r\n${json}`);
  const timer = setTimeout(() => socket.destroy(), REFUSED_MILLISECONDS);
  socket.once("close", () => clearTimeout(timer));
}

function refusal(code: number, message: string): string {
  return JSON.stringify({ code, data: {}, message, reason: "kernel.too_many_connections" });
}
