import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { ConnectionCounts } from "../../net/connection_counts.ts";
import { type ConnectionLimit, ConnectionPool } from "../../net/connection_pool.ts";
import type { HttpService } from "../../transports/http/app.ts";
import { type Http1HandlerOptions, http1Responder } from "../../transports/http/http1_handler.ts";
import { finalResponse } from "../../net/http1/connection.ts";
import type { Exchange } from "../../net/http1/exchange.ts";
import { errorResponse } from "../../transports/http/response.ts";
import { HttpError } from "../../net/http1/error.ts";
import { Http1Server } from "../../net/http1/server.ts";
import type { Limits } from "../../base/limits.ts";
import { errorText, type Logger } from "../../base/log.ts";
import type { Listener, ListenerName } from "./listener.ts";
import type { Settings } from "../settings/settings.ts";
import { byteSocket, forwardEvents, listenTcp } from "./tcp_listener.ts";

/** The interval at which timeouts of connections are checked. */
const SWEEP_MILLISECONDS = 500;
/** The time that the client of a refused connection has to read the error. */
const REFUSED_CLOSE_MILLISECONDS = 2000;

/** The settings of a listener for HTTP/1.1. */
export interface Http1Settings extends Pick<Settings["http"], "host" | "port" | "tls" | "behindProxy"> {
  /** Defaults to `http`. */
  readonly name?: ListenerName;
}

type RefusedBy = Exclude<ConnectionLimit, "process">;

const CONNECTION_ERRORS: Readonly<Record<RefusedBy, HttpError>> = {
  all: new HttpError(503, "kernel.too_many_connections", "too many connections are open"),
  address: new HttpError(429, "kernel.too_many_connections", "too many connections are open from your address"),
};

/** Listens for HTTP/1.1 with {@link Http1Server}, which closes slow clients and is three times as fast as node:http. */
export function listenHttp1(
  service: HttpService,
  settings: Http1Settings,
  limits: Limits,
  log: Logger,
  pool?: ConnectionPool,
): Promise<Listener> {
  return listenHttp1With((options) => http1Responder(service, options), settings, limits, log, pool);
}

/** Listens as {@link listenHttp1}. `createResponder` is called once, for the function that responds to requests. */
export async function listenHttp1With(
  createResponder: (options: Http1HandlerOptions) => (exchange: Exchange) => void,
  { name = "http", host, port, tls, behindProxy }: Http1Settings,
  limits: Limits,
  log: Logger,
  pool = new ConnectionPool(),
): Promise<Listener> {
  // Behind a proxy, all connections come from its address.
  const maxPerAddress = behindProxy ? limits.httpConnections : limits.httpConnectionsPerAddress;
  const http1 = new Http1Server({
    limits,
    handle: createResponder({
      scheme: tls === undefined ? "http" : "https",
      nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
      onError: (thrown) => log.error("request failed", { error: errorText(thrown) }),
    }),
    latin1,
    errorResponse,
  });
  return await listenTcp(http1, {
    name,
    host,
    port,
    tls,
    protocol: "http/1.1",
    handshakeMilliseconds: limits.headerSeconds * 1000,
    allowHalfOpen: true,
    sweepMilliseconds: SWEEP_MILLISECONDS,
    counts: new ConnectionCounts(limits.httpConnections, maxPerAddress, pool),
    pool,
    serve: (socket) => serve(http1, socket, log),
    refuse: (socket, limit) => refuseConnection(socket, limit, tls === undefined),
    log,
  });
}

function serve(http1: Http1Server, socket: Socket, log: Logger): void {
  const events = http1.connect({
    ...byteSocket(socket),
    writeText: (text) => socket.write(text, "latin1"),
  });
  forwardEvents(socket, events, log);
  socket.on("end", () => events.ended());
  socket.on("finish", () => events.flushed());
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString("latin1", start, end);
}

function refuseConnection(socket: Socket, limit: RefusedBy, isPlaintext: boolean): void {
  socket.on("error", () => socket.destroy());
  if (!isPlaintext) {
    socket.destroy();
    return;
  }
  // Read and discard the request: closing a socket with unread data resets it and loses the response.
  socket.resume();
  socket.end(finalResponse(errorResponse(CONNECTION_ERRORS[limit]), Date.now()));
  const timer = setTimeout(() => socket.destroy(), REFUSED_CLOSE_MILLISECONDS);
  socket.once("close", () => clearTimeout(timer));
}
