import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { ConnectionCounts, type ConnectionLimit } from "../../net/connection_counts.ts";
import type { HttpService } from "../../transports/http/app.ts";
import { http1Responder } from "../../transports/http/http1_handler.ts";
import { finalResponse } from "../../net/http1/connection.ts";
import { errorResponse } from "../../transports/http/response.ts";
import { HttpError } from "../../net/http1/error.ts";
import { Http1Server } from "../../net/http1/server.ts";
import type { Limits } from "../../base/limits.ts";
import { errorText, type Logger } from "../../base/log.ts";
import type { Listener } from "./listener.ts";
import type { Settings } from "../settings/settings.ts";
import { byteSocket, forwardEvents, listenTcp } from "./tcp_listener.ts";

/** How often connections are looked at. */
const SWEEP_MILLISECONDS = 500;
/** How long a refused connection has to read why. */
const REFUSED_MILLISECONDS = 2000;

const REFUSALS: Readonly<Record<ConnectionLimit, HttpError>> = {
  all: new HttpError(503, "kernel.too_many_connections", "too many connections are open"),
  address: new HttpError(429, "kernel.too_many_connections", "too many connections are open from your address"),
};

/** Our own HTTP/1.1 on node:net, on both runtimes: it closes slow clients, and costs a third of node:http. */
export async function listenHttp1(
  service: HttpService,
  { host, port, tls, behindProxy }: Settings["http"],
  limits: Limits,
  log: Logger,
): Promise<Listener> {
  // all come from the address of the proxy
  const mostOfAddress = behindProxy ? limits.httpConnections : limits.httpConnectionsPerAddress;
  const http1 = new Http1Server({
    limits,
    answer: http1Responder(service, {
      scheme: tls === undefined ? "http" : "https",
      nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
      onError: (thrown) => log.error("a request failed", { error: errorText(thrown) }),
    }),
    latin1,
    errorResponse,
  });
  return await listenTcp(http1, {
    host,
    port,
    tls,
    protocol: "http/1.1",
    handshakeMilliseconds: limits.headerSeconds * 1000,
    allowHalfOpen: true,
    sweepMilliseconds: SWEEP_MILLISECONDS,
    counts: new ConnectionCounts(limits.httpConnections, mostOfAddress),
    serve: (socket) => serve(http1, socket, log),
    refuse: (socket, limit) => refuse(socket, limit, tls === undefined),
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

function refuse(socket: Socket, limit: ConnectionLimit, isPlain: boolean): void {
  socket.on("error", () => socket.destroy());
  if (!isPlain) {
    socket.destroy();
    return;
  }
  // What it sends is of no use, but unread it would take the answer away.
  socket.resume();
  socket.end(finalResponse(errorResponse(REFUSALS[limit]), Date.now()));
  const timer = setTimeout(() => socket.destroy(), REFUSED_MILLISECONDS);
  socket.once("close", () => clearTimeout(timer));
}
