import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A request that a peer received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The name that the client sent in the TLS handshake. */
  readonly serverName?: unknown;
}

/** A server on loopback that keeps what it receives. */
export interface Peer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
}

/** A self-signed certificate for peers with TLS. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Creates a certificate for a name and for 127.0.0.1. */
export function certificateFor(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "edgehelm-test-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name},IP:127.0.0.1`];
  try {
    execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Starts a server that responds with `respond` when it has a whole request. */
export async function peer(
  respond: RequestListener = (_request, response) => response.end("hello"),
  { address = "127.0.0.1", certificate }: { address?: string; certificate?: Certificate } = {},
): Promise<Peer> {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { servername: serverName } = request.socket as { servername?: unknown };
    received.push({ method: request.method!, path: request.url!, headers: request.headers, body, serverName });
    respond(request, response);
  };
  const server: Server = certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  const host = address.includes(":") ? `[${address}]` : address;
  return {
    port,
    url: `http${certificate === undefined ? "" : "s"}://${host}:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
