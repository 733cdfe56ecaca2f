import { type AddressInfo, createServer as createTcp, type Socket } from "node:net";
import { createServer as createTls, type Server as TlsServer } from "node:tls";
import { ConnectionCounts } from "../connection_counts.ts";
import { Http2Server } from "../http2/server.ts";
import type { Http2Handler } from "../http2/stream_table.ts";
import type { Limits } from "../limits.ts";
import { faultText, type Logger } from "../log.ts";
import { type Listener, listening, urlOf } from "./listener.ts";
import type { Settings } from "./settings.ts";
import { readTls } from "./tls_files.ts";

const SWEEP_MILLISECONDS = 1000;

/** Listens for gRPC: HTTP/2 by prior knowledge, or by ALPN where TLS is on. */
export async function listenGrpc(
  handler: Http2Handler,
  { host, port }: Settings["grpc"],
  tls: Settings["http"]["tls"],
  { grpcConnections, grpcConnectionsPerAddress, headerSeconds }: Limits,
  log: Logger,
): Promise<Listener> {
  const http2 = new Http2Server(handler, setImmediate);
  const counts = new ConnectionCounts(grpcConnections, grpcConnectionsPerAddress);
  const sockets = new Set<Socket>();
  const server = tls === undefined
    ? createTcp((socket) => join(http2, socket, log))
    : createTls({ ...readTls(tls), ALPNProtocols: ["h2"], handshakeTimeout: headerSeconds * 1000 }, (socket) =>
      join(http2, socket, log));
  // Also those that have not shaken hands yet.
  server.prependListener("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (counts.enter(address) !== undefined) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      counts.leave(address);
    });
  });
  await listening(server, host, port);
  server.on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy());
  server.on("error", (error) => log.error("the gRPC listener failed", { error: error.message }));
  const sweeping = setInterval(() => http2.sweep(Date.now()), SWEEP_MILLISECONDS);
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: urlOf(tls !== undefined, host, bound),
    // HTTP/2 sends its clients away all at once, when it drains.
    beginClose() {},
    async close(limitMilliseconds) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await http2.drain(limitMilliseconds);
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
function join(http2: Http2Server, socket: Socket, log: Logger): void {
  if (socket.destroyed) return;
  socket.setNoDelay(true);
  const events = http2.connect({
    remoteAddress: socket.remoteAddress ?? "",
    write: (bytes) => socket.write(bytes),
    end: () => socket.end(),
    destroy: () => socket.destroy(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  });
  socket.on("data", (chunk: Uint8Array) => {
    try {
      events.received(chunk);
    } catch (error) {
      log.error("a gRPC connection failed", { error: faultText(error) });
    }
  });
  socket.on("drain", () => events.drained());
  socket.on("error", () => socket.destroy());
  socket.on("end", () => socket.end());
  socket.on("close", () => events.closed());
}
