import { addressGroup } from "./remote_address.ts";

/** The limit that a refused connection exceeds: that of the listener, or that of its address. */
export type ConnectionLimit = "all" | "address";

/** Counts and limits the connections of a listener, in total and per address. */
export class ConnectionCounts {
  readonly #max: number;
  readonly #maxPerAddress: number;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(max: number, maxPerAddress: number) {
    this.#max = max;
    this.#maxPerAddress = maxPerAddress;
  }

  get open(): number {
    return this.#open;
  }

  /** Counts a new connection and returns undefined, or returns the limit that it exceeds. */
  enter(address: string): ConnectionLimit | undefined {
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
