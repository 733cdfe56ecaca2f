import type { Server } from "node:net";
import { StartupError } from "../../base/startup_error.ts";
import type { ServedCertificate } from "../observe/served_certificates.ts";
import { errorMessage, hasCode } from "../settings/files.ts";

/** The names of the listeners, which are also those of their settings. */
export type ListenerName = "http" | "grpc" | "metrics";

/** An open listener. */
export interface Listener {
  readonly url: string;
  /** The certificate that is in use; undefined without TLS. */
  readonly certificate: ServedCertificate | undefined;
  /** Asks each client, with its next response, to close its connection. New connections are still accepted. */
  beginClose(): void;
  /** Stops accepting connections, lets requests in flight finish within the time limit, then closes the rest. */
  close(limitMilliseconds: number): Promise<void>;
  /**
   * Reloads the certificate and its key from their files, for new connections.
   *
   * @throws StartupError if they cannot be used; the previous ones then stay in use
   */
  reloadTls(): void;
}

/**
 * Binds a server to its address.
 *
 * @throws StartupError if the address cannot be used
 */
export function listen(
  server: Server,
  name: ListenerName,
  host: string,
  port: number,
  backlog: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) =>
      reject(new StartupError(`${name}: ${cannotListen(name, host, port, cause)}`, { cause }));
    server.once("error", fail);
    server.listen({ port, host, backlog }, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

/** Returns why a listener cannot have its address, and what to do about it. */
export function cannotListen(name: ListenerName, host: string, port: number, error: unknown): string {
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const variable = `EDGEHELM_${name.toUpperCase()}_PORT`;
  if (hasCode(error, "EADDRINUSE")) return `${address} is used by another program; stop it, or set ${variable}`;
  if (hasCode(error, "EACCES")) return `${address} needs more rights; choose a port above 1023 with ${variable}`;
  return `${address} cannot be used (${errorMessage(error)}); set ${name}.host`;
}

export function urlOf(secure: boolean, host: string, port: number): string {
  return `${secure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
