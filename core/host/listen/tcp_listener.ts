import { type AddressInfo, createServer as createTcp, type Socket } from "node:net";
import { createServer as createTls, type Server as TlsServer } from "node:tls";
import type { ConnectionCounts, ConnectionLimit } from "../../net/connection_counts.ts";
import type { SocketEvents } from "../../net/http2/socket.ts";
import { errorText, type Logger } from "../../base/log.ts";
import { type Listener, listening, urlOf } from "./listener.ts";
import type { Settings } from "../settings/settings.ts";
import { readTls } from "./tls_files.ts";

/** What serves the connections of a listener. */
export interface ConnectionServer {
  /** Looks at every connection for what time alone brings. */
  sweep(now: number): void;
  /** Lets what has begun end, at most so long. */
  drain(limitMilliseconds: number): Promise<void>;
  beginClose?(): void;
}

export interface TcpOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: Settings["http"]["tls"];
  /** What clients over TLS must speak. */
  readonly protocol: "http/1.1" | "h2";
  readonly handshakeMilliseconds: number;
  /** Whether a client that sends nothing more still gets its answer. */
  readonly allowHalfOpen: boolean;
  readonly sweepMilliseconds: number;
  readonly counts: ConnectionCounts;
  /** Serves a client that has shaken hands, where that is needed. */
  readonly serve: (socket: Socket) => void;
  /** Sends away a client beyond the limits. */
  readonly refuse: (socket: Socket, limit: ConnectionLimit) => void;
  readonly log: Logger;
}

/** Listens on TCP, or TLS, and counts connections, also those that have not shaken hands yet. Throws StartupError. */
export async function listenTcp(server: ConnectionServer, options: TcpOptions): Promise<Listener> {
  const { host, port, tls, protocol, handshakeMilliseconds, allowHalfOpen, counts, log } = options;
  const sockets = new Set<Socket>();
  const refused = new WeakSet<Socket>();
  const serve = (socket: Socket) => {
    if (!refused.has(socket) && !socket.destroyed) options.serve(socket);
  };
  const tcp = tls === undefined ? createTcp({ allowHalfOpen }, serve) : createTls({
    allowHalfOpen,
    ...readTls(tls),
    ALPNProtocols: [protocol],
    handshakeTimeout: handshakeMilliseconds,
  }, serve);
  tcp.prependListener("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const limit = counts.enter(address);
    if (limit !== undefined) {
      refused.add(socket);
      options.refuse(socket, limit);
      return;
    }
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      counts.leave(address);
    });
  });
  tcp.on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy());
  await listening(tcp, host, port);
  tcp.on("error", (error) => log.error("a listener failed", { protocol, error: error.message }));
  const sweeping = setInterval(() => server.sweep(Date.now()), options.sweepMilliseconds);
  sweeping.unref();
  return {
    url: urlOf(tls !== undefined, host, (tcp.address() as AddressInfo).port),
    beginClose: () => server.beginClose?.(),
    async close(limitMilliseconds) {
      const closed = new Promise<void>((resolve) => tcp.close(() => resolve()));
      await server.drain(limitMilliseconds);
      for (const socket of sockets) socket.destroy();
      await closed;
      clearInterval(sweeping);
    },
    reloadTls() {
      if (tls !== undefined) (tcp as TlsServer).setSecureContext(readTls(tls));
    },
  };
}

/** What a socket can do for the server of its connection. */
export function byteSocket(socket: Socket) {
  socket.setNoDelay(true);
  return {
    remoteAddress: socket.remoteAddress ?? "",
    write: (bytes: Uint8Array) => socket.write(bytes),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  };
}

/** Tells the server of a connection what happens on its socket. */
export function forwardEvents(socket: Socket, events: SocketEvents, log: Logger): void {
  socket.on("data", (chunk: Uint8Array) => {
    try {
      events.received(chunk);
    } catch (error) {
      log.error("a connection failed", { error: errorText(error) });
    }
  });
  socket.on("drain", () => events.drained());
  socket.on("error", () => socket.destroy());
  socket.on("close", () => events.closed());
}
