import { testKernel, type TestKernelOptions } from "edgehelm/testing";
import { createHttpService } from "../../core/transports/http/app.ts";
import { zlibCompress, zlibDecompress } from "../../core/host/listen/compress.ts";
import { listenHttp1 } from "../../core/host/listen/http1_listener.ts";
import type { Settings } from "../../core/host/settings/settings.ts";
import { systemClock } from "../../core/base/clock.ts";
import { createLogger } from "../../core/base/log.ts";
import { head, RawClient } from "./raw_client.ts";

/** Starts a kernel behind the HTTP/1.1 listener of the host, in this process. */
export async function startListener(options: TestKernelOptions, tls?: Settings["http"]["tls"], behindProxy = false) {
  const edgehelm = await testKernel(options);
  const { kernel } = edgehelm;
  const service = createHttpService(kernel, {
    errorStatus: "ok",
    corsOrigins: [],
    behindProxy,
    compress: zlibCompress,
    decompress: zlibDecompress,
    notReady: () => Promise.resolve(undefined),
  });
  const settings = {
    host: "127.0.0.1",
    port: 0,
    errorStatus: "ok",
    behindProxy,
    corsOrigins: [],
    tls,
    plaintext: false,
  } as const;
  const log = options.log ?? createLogger({ level: "error", write: (line) => console.error(line), clock: systemClock });
  const listener = await listenHttp1(service, settings, kernel.limits, log);
  const clients: RawClient[] = [];
  return {
    edgehelm,
    url: listener.url,
    /** Opens a connection, which is closed at the end. */
    client(from?: string): RawClient {
      const client = new RawClient(listener.url, from);
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      await listener.close(1000);
      await edgehelm[Symbol.asyncDispose]();
    },
  };
}

/** Returns a POST request with a body. */
export function post(path: string, body: string, headers: Readonly<Record<string, string | number>> = {}): string {
  return head(path, { "content-length": body.length, ...headers }) + body;
}
