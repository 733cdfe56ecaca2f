import { addressGroup } from "./remote_address.ts";

/** How a listener answers a connection that it does not take. */
export type ConnectionLimit = "all" | "address";

/** Counts a listener's connections, in all and by where they come from. */
export class ConnectionCounts {
  readonly #most: number;
  readonly #mostPerAddress: number;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(most: number, mostPerAddress: number) {
    this.#most = most;
    this.#mostPerAddress = mostPerAddress;
  }

  get open(): number {
    return this.#open;
  }

  /** Counts one more and answers undefined, or says which limit forbids it. */
  enter(address: string): ConnectionLimit | undefined {
    if (this.#open >= this.#most) return "all";
    const group = addressGroup(address);
    const count = this.#byAddress.get(group) ?? 0;
    if (count >= this.#mostPerAddress) return "address";
    this.#byAddress.set(group, count + 1);
    this.#open++;
    return undefined;
  }

  /** Only for a connection that was counted. */
  leave(address: string): void {
    const group = addressGroup(address);
    const count = this.#byAddress.get(group)!;
    if (count === 1) this.#byAddress.delete(group);
    else this.#byAddress.set(group, count - 1);
    this.#open--;
  }
}
