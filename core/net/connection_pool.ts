/** The default length of an accept queue. If it is full, the system drops connections, whose clients try again. */
const BACKLOG = 4096;

/** Counts the connections of a process, over all its listeners, and those that were refused. */
export class ConnectionPool {
  readonly max: number;
  /** The number of connections that may wait to be accepted. */
  readonly backlog: number;
  readonly #refused = new Map<string, RefusedConnections>();
  #open = 0;

  constructor(max = Infinity, backlog = BACKLOG) {
    this.max = max;
    this.backlog = backlog;
  }

  get open(): number {
    return this.#open;
  }

  get refused(): readonly RefusedConnections[] {
    return [...this.#refused.values()];
  }

  /** True if there is room for connections that are refused with an explanation, which takes them a while to read. */
  get isAmple(): boolean {
    return this.#open <= this.max / 2;
  }

  /** Counts a new connection and returns true, or returns false if there is no room for it. */
  enter(): boolean {
    if (this.#open >= this.max) return false;
    this.#open++;
    return true;
  }

  /** Uncounts a connection for which {@link ConnectionPool.enter} returned true. */
  leave(): void {
    this.#open--;
  }

  /** Counts a refused connection. */
  refuse(listener: string, limit: ConnectionLimit): void {
    const key = `${listener} ${limit}`;
    const refused = this.#refused.get(key);
    if (refused === undefined) this.#refused.set(key, { listener, limit, count: 1 });
    else refused.count++;
  }
}

/** The limit that a refused connection exceeds: that of the process, of the listener, or of its address. */
export type ConnectionLimit = "process" | "all" | "address";

/** The number of connections that a listener refused because of a limit. */
export interface RefusedConnections {
  readonly listener: string;
  readonly limit: ConnectionLimit;
  count: number;
}
