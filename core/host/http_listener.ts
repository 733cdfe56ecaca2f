import { readFileSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { createHttpApp } from "../http/app.ts";
import type { Limits } from "../limits.ts";
import { StartupError } from "../startup_error.ts";
import { HttpConnections } from "./http_connections.ts";
import { refuseHeaders, refuseRequest } from "./http_refusals.ts";
import type { Settings } from "./settings.ts";

/** A listener that is open. */
export interface Listener {
  readonly url: string;
  /** Takes no new connections, lets requests in flight finish within the limit, then closes the rest. */
  close(limitMilliseconds: number): Promise<void>;
}

type App = ReturnType<typeof createHttpApp>;

/** How many connections may wait to be taken; a client that the system drops from a shorter queue hangs for long. */
const BACKLOG = 4096;
/** How often connections are looked at. */
const CHECK_MILLISECONDS = 500;

export function listenHttp(app: App, settings: Settings["http"], limits: Limits): Promise<Listener> {
  return settings.behindProxy && "Deno" in globalThis ? listenDeno(app, settings) : listenNode(app, settings, limits);
}

/** node:http on both runtimes, since it closes clients that are slow to send. */
async function listenNode(app: App, { host, port, tls }: Settings["http"], limits: Limits): Promise<Listener> {
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
    handshakeTimeout: limits.headerSeconds * 1000,
    cert: readFileSync(tls.certFile),
    key: readFileSync(tls.keyFile),
  });
  server.maxHeadersCount = 0;
  const connections = new HttpConnections(server, limits, tls === undefined);
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!connections.begin(incoming, outgoing)) return;
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
  await new Promise<void>((resolve, reject) => {
    server.once(
      "error",
      (cause) => reject(new StartupError(`cannot listen on ${host}:${port}: ${cause.message}`, { cause })),
    );
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: urlOf(tls !== undefined, host, address.port),
    async close(limitMilliseconds) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const forced = setTimeout(() => server.closeAllConnections(), limitMilliseconds);
      await closed;
      clearTimeout(forced);
    },
  };
}

/** Deno.serve: cheaper, for deployments behind a proxy that keeps slow clients away. */
function listenDeno(app: App, { host, port, tls }: Settings["http"]): Promise<Listener> {
  const server = Deno.serve({
    hostname: host,
    port,
    onListen() {},
    ...(tls && { cert: readFileSync(tls.certFile, "utf8"), key: readFileSync(tls.keyFile, "utf8") }),
  }, (request, { remoteAddr }) => app.fetch(request, { remoteAddress: remoteAddr.hostname }));
  return Promise.resolve({
    url: urlOf(tls !== undefined, host, (server.addr as Deno.NetAddr).port),
    close: () => server.shutdown(),
  });
}

function urlOf(secure: boolean, host: string, port: number): string {
  return `${secure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
