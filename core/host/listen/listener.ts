import type { Server } from "node:net";
import { StartupError } from "../../base/startup_error.ts";

/** A listener that is open. */
export interface Listener {
  readonly url: string;
  /** From now on each answer tells its client not to keep the connection. New connections are still taken. */
  beginClose(): void;
  /** Takes no new connections, lets requests in flight finish within the limit, then closes the rest. */
  close(limitMilliseconds: number): Promise<void>;
  /**
   * Reads the certificate and its key again, for new connections.
   *
   * @throws StartupError when they cannot be used; then the old ones stay
   */
  reloadTls(): void;
}

/** How many connections may wait to be taken; a client that the system drops from a shorter queue hangs for long. */
const BACKLOG = 4096;

/** Begins to listen. Throws StartupError. */
export function listening(server: Server, host: string, port: number): Promise<void> {
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
