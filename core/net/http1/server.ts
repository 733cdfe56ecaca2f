import { Http1Connection } from "./connection.ts";
import type { Http1Handler } from "./handler.ts";
import type { TextSocket, TextSocketEvents } from "./socket.ts";

/** The time for which a stopping server keeps idle connections, because a request may be on its way. */
const LINGER_MILLISECONDS = 1000;

/** Serves the connections of one listener. The host passes it sockets, and calls `sweep` regularly. */
export class Http1Server {
  readonly #handler: Http1Handler;
  readonly #keepAlive: string;
  readonly #connections = new Set<Http1Connection>();
  #isClosing = false;
  #emptied: (() => void) | undefined;

  constructor(handler: Http1Handler) {
    this.#handler = handler;
    this.#keepAlive = `connection: keep-alive\r\nkeep-alive: timeout=${handler.limits.idleSeconds}\r\n`;
  }

  /** Serves one client for as long as its socket is open. */
  connect(socket: TextSocket): TextSocketEvents {
    const connection = new Http1Connection(socket, this.#handler, this.#keepAlive, Date.now());
    this.#connections.add(connection);
    if (this.#isClosing) connection.beginClose();
    return {
      received: (chunk) => connection.receive(chunk),
      drained: () => connection.drained(),
      ended: () => connection.ended(),
      flushed: () => connection.flushed(),
      closed: () => {
        connection.socketClosed();
        this.#connections.delete(connection);
        if (this.#connections.size === 0) this.#emptied?.();
      },
    };
  }

  /**
   * Closes connections whose time is over.
   *
   * @param now unix milliseconds
   */
  sweep(now: number): void {
    for (const connection of this.#connections) connection.sweep(now);
  }

  /** Closes each connection after its next response. */
  beginClose(): void {
    this.#isClosing = true;
    for (const connection of this.#connections) connection.beginClose();
  }

  /** Waits until every pending request is finished or the time limit is over, then closes all connections. */
  async drain(limitMilliseconds: number): Promise<void> {
    this.beginClose();
    if (this.#connections.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#emptied = resolve;
      const limit = setTimeout(resolve, limitMilliseconds);
      const linger = setTimeout(() => this.#closeIdle(), Math.min(LINGER_MILLISECONDS, limitMilliseconds));
      await promise;
      clearTimeout(limit);
      clearTimeout(linger);
    }
    for (const connection of this.#connections) connection.destroy();
  }

  #closeIdle(): void {
    for (const connection of this.#connections) connection.closeIdle();
  }
}
