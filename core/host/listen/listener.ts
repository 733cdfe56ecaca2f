import type { Server } from "node:net";
import { StartupError } from "../../base/startup_error.ts";

/** An open listener. */
export interface Listener {
  readonly url: string;
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

/** The length of the accept queue. If it is full, the system drops connections, whose clients wait for a timeout. */
const BACKLOG = 4096;

/**
 * Binds a server to its address.
 *
 * @throws StartupError if the address cannot be used
 */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) =>
      reject(new StartupError(`cannot listen on ${host}:${port}: ${cause.message}`, { cause }));
    server.once("error", fail);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

export function urlOf(secure: boolean, host: string, port: number): string {
  return `${secure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
