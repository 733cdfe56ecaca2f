import { readFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { createHttpApp } from "../http/app.ts";
import { StartupError } from "../startup_error.ts";
import type { Settings } from "./settings.ts";

/** A listener that is open. */
export interface Listener {
  readonly url: string;
  /** Takes no new connections, lets requests in flight finish within the limit, then closes the rest. */
  close(limitMilliseconds: number): Promise<void>;
}

type App = ReturnType<typeof createHttpApp>;

const HEADERS_MILLISECONDS = 15_000;
const REQUEST_MILLISECONDS = 30_000;

export function listenHttp(app: App, settings: Settings["http"]): Promise<Listener> {
  return settings.behindProxy && "Deno" in globalThis ? listenDeno(app, settings) : listenNode(app, settings);
}

/** node:http on both runtimes, since it closes clients that are slow to send. */
async function listenNode(app: App, { host, port, tls }: Settings["http"]): Promise<Listener> {
  const limits = {
    headersTimeout: HEADERS_MILLISECONDS,
    requestTimeout: REQUEST_MILLISECONDS,
    connectionsCheckingInterval: 1000,
  };
  const listener = getRequestListener(app.fetch);
  const server = tls === undefined
    ? createHttp(limits, listener)
    : createHttps({ ...limits, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once(
      "error",
      (cause) => reject(new StartupError(`cannot listen on ${host}:${port}: ${cause.message}`, { cause })),
    );
    server.listen(port, host, resolve);
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
  }, (request) => app.fetch(request));
  return Promise.resolve({
    url: urlOf(tls !== undefined, host, (server.addr as Deno.NetAddr).port),
    close: () => server.shutdown(),
  });
}

function urlOf(secure: boolean, host: string, port: number): string {
  return `${secure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
