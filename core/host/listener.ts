import type { createHttpApp } from "../http/app.ts";

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
export const BACKLOG = 4096;

export type App = ReturnType<typeof createHttpApp>;

export function urlOf(secure: boolean, host: string, port: number): string {
  return `${secure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
