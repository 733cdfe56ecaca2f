import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ConnectionCounts, type ConnectionRefusal } from "../connection_counts.ts";
import type { Limits } from "../limits.ts";
import { refuseRequest } from "./http_refusals.ts";

const CHECK_MILLISECONDS = 1000;
/** How long a refused connection has to read why. */
const REFUSED_MILLISECONDS = 2000;

const REFUSALS: Readonly<Record<ConnectionRefusal, { readonly status: string; readonly json: string }>> = {
  all: { status: "503 Service Unavailable", json: refusal(503, "too many connections are open") },
  address: { status: "429 Too Many Requests", json: refusal(429, "too many connections are open from your address") },
};

/** A connection, and the request that it is at, or was at last. */
interface Connection {
  /** Nothing before the first request. */
  incoming: IncomingMessage | undefined;
  outgoing: ServerResponse | undefined;
  /** When the connection or its request began, in unix milliseconds. */
  started: number;
  /** Since when the answer is out and nothing new has begun. */
  idleSince: number | undefined;
  /** Since when the answer waits for its reader. */
  waitingSince: number | undefined;
  /** Whether the request came after the last check. */
  isNew: boolean;
  /** What the connection had sent when it was measured last; measuring is too dear to do for each request. */
  sent: number;
  /** What was sent since the check before this request. */
  answerBytes: number;
}

/** Keeps a node:http server's connections within the limits: how many there are, and how slow they may be. */
export class HttpConnections {
  readonly #limits: Limits;
  readonly #counts: ConnectionCounts;
  readonly #connections = new Map<Socket, Connection>();
  readonly #refused = new WeakSet<Socket>();
  readonly #timer: ReturnType<typeof setInterval>;

  /** @param isPlain false when the server speaks TLS, where a refused connection is closed without a word */
  constructor(server: Server, limits: Limits, isPlain: boolean) {
    this.#limits = limits;
    this.#counts = new ConnectionCounts(limits.httpConnections, limits.httpConnectionsPerAddress);
    server.prependListener("connection", (socket: Socket) => this.#enter(socket, isPlain));
    if (!isPlain) server.on("secureConnection", (socket: Socket) => this.#watch(socket));
    this.#timer = setInterval(() => this.#check(Date.now()), CHECK_MILLISECONDS);
    this.#timer.unref();
    server.once("close", () => clearInterval(this.#timer));
  }

  /** Notes what a connection is at. False when it was refused: then nothing must be answered. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { socket } = incoming;
    if (this.#refused.has(socket)) return false;
    const connection = this.#connections.get(socket);
    if (connection === undefined) return true;
    connection.incoming = incoming;
    connection.outgoing = outgoing;
    connection.started = Date.now();
    connection.waitingSince = undefined;
    connection.idleSince = undefined;
    connection.isNew = true;
    return true;
  }

  #watch(socket: Socket): void {
    this.#connections.set(socket, {
      incoming: undefined,
      outgoing: undefined,
      started: Date.now(),
      idleSince: undefined,
      waitingSince: undefined,
      isNew: false,
      sent: 0,
      answerBytes: 0,
    });
    socket.once("close", () => this.#connections.delete(socket));
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
    if (isPlain) this.#watch(socket);
  }

  #check(now: number): void {
    for (const [socket, connection] of this.#connections) {
      if (this.#isLate(connection, now)) refuseRequest({ code: "ERR_HTTP_REQUEST_TIMEOUT" }, socket);
      else if (this.#isTooSlow(socket, connection, now)) socket.destroy();
    }
  }

  /** The runtime looks after requests that do not come whole; what it overlooks under load ends here. */
  #isLate({ incoming, outgoing, started }: Connection, now: number): boolean {
    const { headerSeconds, bodySeconds } = this.#limits;
    if (incoming === undefined) return now - started > headerSeconds * 1000;
    return !incoming.complete && !outgoing!.headersSent && now - started > bodySeconds * 1000;
  }

  #isTooSlow(socket: Socket, connection: Connection, now: number): boolean {
    const { incoming, outgoing, started } = connection;
    if (incoming === undefined || outgoing === undefined) return false;
    const { headerSeconds, bodySeconds, idleSeconds, answerSeconds, answerBytesPerSecond } = this.#limits;
    if (connection.isNew) {
      connection.isNew = false;
      connection.answerBytes = 0;
      measure(socket, connection);
    }
    if (outgoing.writableFinished) {
      connection.idleSince ??= now;
      if (incoming.complete) return now - connection.idleSince > (idleSeconds + headerSeconds) * 1000;
      // It was answered before it came whole: the rest goes by.
      incoming.resume();
      return now - started > bodySeconds * 1000;
    }
    const isWaiting = outgoing.writableEnded ? !outgoing.writableFinished : outgoing.writableNeedDrain;
    if (!isWaiting) {
      connection.waitingSince = undefined;
      return false;
    }
    if (connection.waitingSince === undefined) {
      connection.waitingSince = now;
      measure(socket, connection);
    }
    // What is written here the runtime holds until it is taken; a stream waits for that with each piece.
    const bytes = outgoing.writableEnded ? connection.answerBytes : 0;
    return now - connection.waitingSince > (answerSeconds + bytes / answerBytesPerSecond) * 1000;
  }
}

function measure(socket: Socket, connection: Connection): void {
  const sent = socket.bytesWritten;
  connection.answerBytes += sent - connection.sent;
  connection.sent = sent;
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
