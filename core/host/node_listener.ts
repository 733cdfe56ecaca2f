import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps, type Server as TlsServer } from "node:https";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Limits } from "../limits.ts";
import { HttpConnections } from "./http_connections.ts";
import { refuseHeaders, refuseRequest } from "./http_refusals.ts";
import { type App, type Listener, listening, urlOf } from "./listener.ts";
import { OpenExchanges } from "./open_exchanges.ts";
import type { Settings } from "./settings.ts";
import { readTls } from "./tls_files.ts";

/** How often connections are looked at. */
const CHECK_MILLISECONDS = 500;
/** For how long a connection without a request is kept at the end: one may be on its way. */
const LINGER_MILLISECONDS = 500;

/** node:http on both runtimes, since it closes clients that are slow to send. */
export async function listenNode(app: App, { host, port, tls }: Settings["http"], limits: Limits): Promise<Listener> {
  const options = {
    // Connections are looked at now and then: those that would be late by the next time are late now.
    headersTimeout: limits.headerSeconds * 1000 - CHECK_MILLISECONDS,
    requestTimeout: Math.max(limits.bodySeconds, limits.headerSeconds) * 1000 - CHECK_MILLISECONDS,
    keepAliveTimeout: limits.idleSeconds * 1000,
    connectionsCheckingInterval: CHECK_MILLISECONDS,
    maxHeaderSize: limits.headerBytes,
  };
  // Bodies that nobody reads are left to the connections, which close a client that goes on for too long.
  const listener = getRequestListener(app.fetch, { autoCleanupIncoming: false });
  const server = tls === undefined ? createHttp(options) : createHttps({
    ...options,
    ...readTls(tls),
    handshakeTimeout: limits.headerSeconds * 1000,
  });
  server.maxHeadersCount = 0;
  const connections = new HttpConnections(server, limits, tls === undefined);
  const exchanges = new OpenExchanges();
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!connections.begin(incoming, outgoing)) return;
    exchanges.begin(outgoing);
    if (incoming.rawHeaders.length > 2 * limits.headerCount) refuseHeaders(outgoing, limits);
    else listener(incoming, outgoing);
  };
  server.on("request", answer);
  server.on("checkContinue", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // A body that is too large anyway is not asked for.
    if (!(Number(incoming.headers["content-length"]) > limits.httpBodyBytes)) outgoing.writeContinue();
    answer(incoming, outgoing);
  });
  server.on("clientError", (error: Error & { code?: string }, socket: Socket) => refuseRequest(error, socket));
  server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => exchanges.add(socket));
  await listening(server, host, port);
  return {
    url: urlOf(tls !== undefined, host, (server.address() as AddressInfo).port),
    beginClose: () => exchanges.beginClose(),
    async close(limitMilliseconds) {
      exchanges.beginClose();
      // Not http.Server.close, which at once cuts connections on which a request may be on its way.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      const lingering = setTimeout(() => exchanges.closeIdle(), Math.min(LINGER_MILLISECONDS, limitMilliseconds));
      const forced = setTimeout(() => server.closeAllConnections(), limitMilliseconds);
      await closed;
      clearTimeout(lingering);
      clearTimeout(forced);
    },
    reloadTls() {
      if (tls !== undefined) (server as TlsServer).setSecureContext(readTls(tls));
    },
  };
}
