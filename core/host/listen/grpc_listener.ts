import { ConnectionCounts } from "../../net/connection_counts.ts";
import { ConnectionPool } from "../../net/connection_pool.ts";
import { Http2Server } from "../../net/http2/server.ts";
import type { Http2Handler } from "../../net/http2/stream_table.ts";
import type { Limits } from "../../base/limits.ts";
import type { Logger } from "../../base/log.ts";
import type { Listener } from "./listener.ts";
import type { Settings } from "../settings/settings.ts";
import { byteSocket, forwardEvents, listenTcp } from "./tcp_listener.ts";

const SWEEP_MILLISECONDS = 1000;

/** Listens for gRPC: HTTP/2 with prior knowledge, or negotiated by ALPN if TLS is enabled. */
export function listenGrpc(
  handler: Http2Handler,
  { host, port }: Settings["grpc"],
  { tls, behindProxy }: Pick<Settings["http"], "tls" | "behindProxy">,
  { grpcConnections, grpcConnectionsPerAddress, headerSeconds }: Limits,
  log: Logger,
  pool = new ConnectionPool(),
): Promise<Listener> {
  // Behind a proxy, all connections come from its address.
  const maxPerAddress = behindProxy ? grpcConnections : grpcConnectionsPerAddress;
  const http2 = new Http2Server(handler, setImmediate);
  return listenTcp(http2, {
    name: "grpc",
    host,
    port,
    tls,
    protocol: "h2",
    handshakeMilliseconds: headerSeconds * 1000,
    allowHalfOpen: false,
    sweepMilliseconds: SWEEP_MILLISECONDS,
    counts: new ConnectionCounts(grpcConnections, maxPerAddress, pool),
    pool,
    serve: (socket) => forwardEvents(socket, http2.connect(byteSocket(socket)), log),
    refuse: (socket) => void socket.destroy(),
    log,
  });
}
