import { type AddressInfo, createServer as createTcp, type Server as TcpServer, type Socket } from "node:net";
import { createServer as createTls, type Server as TlsServer } from "node:tls";
import type { ConnectionCounts } from "../../net/connection_counts.ts";
import type { ConnectionLimit, ConnectionPool } from "../../net/connection_pool.ts";
import type { SocketEvents } from "../../net/http2/socket.ts";
import { errorText, type Logger } from "../../base/log.ts";
import { AcceptWatch } from "./accept_watch.ts";
import { listen, type Listener, type ListenerName, urlOf } from "./listener.ts";
import type { Settings } from "../settings/settings.ts";
import { readTls } from "./tls_files.ts";

/** Serves the connections of a listener. */
export interface ConnectionServer {
  /** Checks every connection for expired timeouts. `now` is in unix milliseconds. */
  sweep(now: number): void;
  /** Lets requests in flight finish within the time limit. */
  drain(limitMilliseconds: number): Promise<void>;
  beginClose?(): void;
}

export interface TcpOptions {
  readonly name: ListenerName;
  readonly host: string;
  readonly port: number;
  readonly tls: Settings["http"]["tls"];
  /** The protocol that TLS clients must negotiate by ALPN. */
  readonly protocol: "http/1.1" | "h2";
  readonly handshakeMilliseconds: number;
  /** True if a client that has closed its sending side still gets a response. */
  readonly allowHalfOpen: boolean;
  readonly sweepMilliseconds: number;
  readonly counts: ConnectionCounts;
  /** The connections of all listeners. One that has no room in it is closed at once. */
  readonly pool: ConnectionPool;
  /** Serves a connection, after the TLS handshake if there is one. */
  readonly serve: (socket: Socket) => void;
  /** Refuses a connection that exceeds a limit of the listener. */
  readonly refuse: (socket: Socket, limit: Exclude<ConnectionLimit, "process">) => void;
  readonly log: Logger;
}

/**
 * Listens on TCP or TLS and counts the connections, including those whose TLS handshake is not complete.
 *
 * @throws StartupError if the address, the certificate or its key cannot be used
 */
export async function listenTcp(server: ConnectionServer, options: TcpOptions): Promise<Listener> {
  const { name, host, port, tls, protocol, handshakeMilliseconds, allowHalfOpen, counts, pool, log } = options;
  const sockets = new Set<Socket>();
  const refused = new WeakSet<Socket>();
  const serve = (socket: Socket) => {
    if (!refused.has(socket) && !socket.destroyed) options.serve(socket);
  };
  const accepted = (socket: Socket) => {
    watch.accepted();
    if (!pool.enter()) {
      refused.add(socket);
      pool.refuse(name, "process");
      socket.on("error", () => {});
      socket.destroy();
      return;
    }
    socket.once("close", () => pool.leave());
    const address = socket.remoteAddress ?? "";
    const limit = counts.enter(address);
    if (limit !== undefined) {
      refused.add(socket);
      pool.refuse(name, limit);
      if (pool.isAmple) options.refuse(socket, limit);
      else socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      counts.leave(address);
    });
  };
  let pair = tls && readTls(tls);
  const open = async (port: number): Promise<TcpServer> => {
    const server = pair === undefined ? createTcp({ allowHalfOpen }, serve) : createTls({
      allowHalfOpen,
      ...pair,
      ALPNProtocols: [protocol],
      handshakeTimeout: handshakeMilliseconds,
    }, serve);
    server.prependListener("connection", accepted);
    server.on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy());
    await listen(server, name, host, port, pool.backlog);
    server.on("error", (error) => log.error("listener failed", { protocol, error: error.message }));
    return server;
  };
  let tcp = await open(port);
  let isClosed = false;
  const bound = (tcp.address() as AddressInfo).port;
  const watch = new AcceptWatch(() => tcp.address(), async () => {
    log.error("listener accepted no connections any more, and is opened again", { listener: name });
    tcp.close();
    try {
      tcp = await open(bound);
      // It was closed meanwhile.
      if (isClosed) tcp.close();
    } catch (error) {
      log.error("listener not opened again", { listener: name, error: errorText(error) });
    }
  });
  const sweeping = setInterval(() => server.sweep(Date.now()), options.sweepMilliseconds);
  sweeping.unref();
  return {
    url: urlOf(tls !== undefined, host, bound),
    get certificate() {
      return tls && pair && { file: tls.certFile, cert: pair.cert };
    },
    beginClose: () => server.beginClose?.(),
    async close(limitMilliseconds) {
      isClosed = true;
      watch.stop();
      const closed = new Promise<void>((resolve) => tcp.close(() => resolve()));
      await server.drain(limitMilliseconds);
      for (const socket of sockets) socket.destroy();
      await closed;
      clearInterval(sweeping);
    },
    reloadTls() {
      if (tls === undefined) return;
      const read = readTls(tls);
      (tcp as TlsServer).setSecureContext(read);
      pair = read;
    },
  };
}

/** Adapts a socket to the interface that the HTTP servers write to. */
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

/** Forwards the events of a socket to the server of its connection. */
export function forwardEvents(socket: Socket, events: SocketEvents, log: Logger): void {
  socket.on("data", (chunk: Uint8Array) => {
    try {
      events.received(chunk);
    } catch (error) {
      log.error("connection failed", { error: errorText(error) });
    }
  });
  socket.on("drain", () => events.drained());
  socket.on("error", () => socket.destroy());
  socket.on("close", () => events.closed());
}
