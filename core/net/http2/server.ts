import { Http2Connection } from "./connection.ts";
import { OutputPool } from "./output.ts";
import type { ByteSocket, SocketEvents } from "./socket.ts";
import type { Http2Handler } from "./stream_table.ts";

/** Serves the connections of one listener. The host passes it sockets, and calls `sweep` about once a second. */
export class Http2Server {
  readonly #handler: Http2Handler;
  readonly #pool: OutputPool;
  readonly #connections = new Set<Http2Connection>();
  #emptied: (() => void) | undefined;
  #isDraining = false;

  /** @param defer runs a task after all readable sockets have been read */
  constructor(handler: Http2Handler, defer: (task: () => void) => void) {
    this.#handler = handler;
    this.#pool = new OutputPool(defer);
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Serves one client for as long as its socket is open. */
  connect(socket: ByteSocket): SocketEvents {
    const connection = new Http2Connection(socket, this.#handler, this.#pool, Date.now());
    this.#connections.add(connection);
    if (this.#isDraining) connection.drain();
    return {
      received: (chunk) => connection.receive(chunk, Date.now()),
      drained: () => connection.drained(),
      closed: () => {
        connection.socketClosed();
        this.#connections.delete(connection);
        if (this.#connections.size === 0) this.#emptied?.();
      },
    };
  }

  /**
   * Closes connections and streams whose time is over.
   *
   * @param now unix milliseconds
   */
  sweep(now: number): void {
    for (const connection of this.#connections) connection.sweep(now);
  }

  /** Waits until every open stream is finished or the time limit is over, then closes all connections. */
  async drain(limitMilliseconds: number): Promise<void> {
    this.#isDraining = true;
    for (const connection of this.#connections) connection.drain();
    if (this.#connections.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#emptied = resolve;
      const limit = setTimeout(resolve, limitMilliseconds);
      await promise;
      clearTimeout(limit);
    }
    for (const connection of this.#connections) connection.destroy();
  }
}
