import type { ConnectionLimit, ConnectionPool } from "./connection_pool.ts";
import { addressGroup } from "./remote_address.ts";

/** Counts and limits the connections of a listener, in total and per address. */
export class ConnectionCounts {
  readonly #max: number;
  readonly #maxPerAddress: number;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  /** @param pool if it has less room than the listener may use, one address gets a smaller share of it as well */
  constructor(max: number, maxPerAddress: number, pool?: ConnectionPool) {
    this.#max = max;
    const share = Math.ceil((pool?.max ?? Infinity) * Math.min(1, maxPerAddress / max));
    this.#maxPerAddress = Math.min(maxPerAddress, share);
  }

  get open(): number {
    return this.#open;
  }

  /** Counts a new connection and returns undefined, or returns the limit that it exceeds. */
  enter(address: string): Exclude<ConnectionLimit, "process"> | undefined {
    if (this.#open >= this.#max) return "all";
    const group = addressGroup(address);
    const count = this.#byAddress.get(group) ?? 0;
    if (count >= this.#maxPerAddress) return "address";
    this.#byAddress.set(group, count + 1);
    this.#open++;
    return undefined;
  }

  /** Uncounts a connection for which {@link ConnectionCounts.enter} returned undefined. */
  leave(address: string): void {
    const group = addressGroup(address);
    const count = this.#byAddress.get(group)!;
    if (count === 1) this.#byAddress.delete(group);
    else this.#byAddress.set(group, count - 1);
    this.#open--;
  }
}
