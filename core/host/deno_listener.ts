import type { HttpService } from "../http/app.ts";
import { StartupError } from "../startup_error.ts";
import { type Listener, urlOf } from "./listener.ts";
import type { Settings } from "./settings.ts";
import { readTls } from "./tls_files.ts";

/** Deno.serve: cheaper, for deployments behind a proxy that keeps slow clients away. */
export async function listenDeno(app: HttpService["app"], { host, port, tls }: Settings["http"]): Promise<Listener> {
  const cut = new AbortController();
  let isClosing = false;
  const server = Deno.serve({
    hostname: host,
    port,
    signal: cut.signal,
    onListen() {},
    ...(tls && readTls(tls)),
  }, async (request, { remoteAddr }) => {
    const response = await app.fetch(request, { remoteAddress: remoteAddr.hostname });
    if (isClosing) response.headers.set("connection", "close");
    return response;
  });
  return {
    url: urlOf(tls !== undefined, host, (server.addr as Deno.NetAddr).port),
    beginClose() {
      isClosing = true;
    },
    async close(limitMilliseconds) {
      const forced = setTimeout(() => cut.abort(), limitMilliseconds);
      await server.shutdown();
      clearTimeout(forced);
    },
    reloadTls() {
      throw new StartupError("with http.behindProxy a new certificate needs a restart");
    },
  };
}
