import { Buffer } from "node:buffer";
import { type AddressInfo, createServer as createTcp, type Socket } from "node:net";
import { createServer as createTls, type Server as TlsServer } from "node:tls";
import { ConnectionCounts, type ConnectionRefusal } from "../connection_counts.ts";
import type { HttpService } from "../http/app.ts";
import { http1Answer } from "../http/http1_handler.ts";
import { refusal } from "../http1/connection.ts";
import { HttpFault } from "../http1/fault.ts";
import { Http1Server } from "../http1/server.ts";
import type { Limits } from "../limits.ts";
import { faultText, type Logger } from "../log.ts";
import { type Listener, listening, urlOf } from "./listener.ts";
import type { Settings } from "./settings.ts";
import { readTls } from "./tls_files.ts";

/** How often connections are looked at. */
const SWEEP_MILLISECONDS = 500;
/** How long a refused connection has to read why. */
const REFUSED_MILLISECONDS = 2000;

const REFUSALS: Readonly<Record<ConnectionRefusal, HttpFault>> = {
  all: new HttpFault(503, "kernel.too_many_connections", "too many connections are open"),
  address: new HttpFault(429, "kernel.too_many_connections", "too many connections are open from your address"),
};

/** Our own HTTP/1.1 on node:net, on both runtimes: it closes slow clients, and costs a third of node:http. */
export async function listenHttp1(
  service: HttpService,
  { host, port, tls }: Settings["http"],
  limits: Limits,
  log: Logger,
): Promise<Listener> {
  const http1 = new Http1Server({
    limits,
    answer: http1Answer(service, {
      scheme: tls === undefined ? "http" : "https",
      nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
      onFault: (thrown) => log.error("a request failed", { error: faultText(thrown) }),
    }),
    latin1,
  });
  const counts = new ConnectionCounts(limits.httpConnections, limits.httpConnectionsPerAddress);
  const sockets = new Set<Socket>();
  const refused = new WeakSet<Socket>();
  const serveOne = (socket: Socket) => {
    if (!refused.has(socket)) join(http1, socket, log);
  };
  const options = { allowHalfOpen: true };
  const server = tls === undefined ? createTcp(options, serveOne) : createTls({
    ...options,
    ...readTls(tls),
    ALPNProtocols: ["http/1.1"],
    handshakeTimeout: limits.headerSeconds * 1000,
  }, serveOne);
  // Also those that have not shaken hands yet.
  server.prependListener("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const limit = counts.enter(address);
    if (limit !== undefined) {
      refused.add(socket);
      refuse(socket, limit, tls === undefined);
      return;
    }
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      counts.leave(address);
    });
  });
  server.on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy());
  await listening(server, host, port);
  server.on("error", (error) => log.error("the HTTP listener failed", { error: error.message }));
  const sweeping = setInterval(() => http1.sweep(Date.now()), SWEEP_MILLISECONDS);
  sweeping.unref();
  return {
    url: urlOf(tls !== undefined, host, (server.address() as AddressInfo).port),
    beginClose: () => http1.beginClose(),
    async close(limitMilliseconds) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await http1.drain(limitMilliseconds);
      for (const socket of sockets) socket.destroy();
      await closed;
      clearInterval(sweeping);
    },
    reloadTls() {
      if (tls !== undefined) (server as TlsServer).setSecureContext(readTls(tls));
    },
  };
}

/** Ties a socket to the server. */
function join(http1: Http1Server, socket: Socket, log: Logger): void {
  if (socket.destroyed) return;
  socket.setNoDelay(true);
  const events = http1.connect({
    remoteAddress: socket.remoteAddress ?? "",
    write: (bytes) => socket.write(bytes),
    writeText: (text) => socket.write(text, "latin1"),
    end: () => socket.end(),
    destroy: () => socket.destroy(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  });
  socket.on("data", (chunk: Uint8Array) => {
    try {
      events.received(chunk);
    } catch (error) {
      log.error("an HTTP connection failed", { error: faultText(error) });
    }
  });
  socket.on("drain", () => events.drained());
  socket.on("error", () => socket.destroy());
  socket.on("end", () => events.ended());
  socket.on("finish", () => events.flushed());
  socket.on("close", () => events.closed());
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString("latin1", start, end);
}

function refuse(socket: Socket, limit: ConnectionRefusal, isPlain: boolean): void {
  socket.on("error", () => socket.destroy());
  if (!isPlain) {
    socket.destroy();
    return;
  }
  // What it sends is of no use, but unread it would take the answer away.
  socket.resume();
  socket.end(refusal(REFUSALS[limit], Date.now()));
  const timer = setTimeout(() => socket.destroy(), REFUSED_MILLISECONDS);
  socket.once("close", () => clearTimeout(timer));
}
