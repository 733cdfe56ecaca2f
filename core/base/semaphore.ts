import { kernelErrors } from "./errors.ts";
import { gate } from "./gate.ts";

/** Milliseconds for which a permit stays valid after its holder's deadline. */
const GRACE = 1000;

/** Returns a permit. A second call does nothing. */
export type Release = () => void;

interface Waiter {
  readonly until: number;
  readonly open: () => void;
  permit?: Release;
}

/** A counting semaphore that serves waiters in order, urgent ones first. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<Waiter>();
  /** Served before the others. */
  readonly #urgent = new Set<Waiter>();
  /** Permits in use, with the time at which each may be reclaimed. */
  readonly #taken = new Map<Release, number>();
  readonly #resource: string;

  /**
   * @param limit the number of permits
   * @param resource the name of what callers wait for, used in the error when their deadline passes
   */
  constructor(limit: number, resource: string) {
    this.#free = limit;
    this.#resource = resource;
  }

  /** The number of callers that wait for a permit. */
  get waiting(): number {
    return this.#waiting.size + this.#urgent.size;
  }

  /**
   * Waits for a permit.
   *
   * @param until the deadline of the wait and of the work done with the permit, in unix milliseconds
   * @throws RpcError deadline
   */
  async acquire(until: number, isUrgent = false): Promise<Release> {
    if (this.#free === 0) this.#reclaimLost();
    if (this.#free === 0) return await this.#wait(until, isUrgent ? this.#urgent : this.#waiting);
    this.#free--;
    return this.#issue(until);
  }

  async #wait(until: number, queue: Set<Waiter>): Promise<Release> {
    const { opened, open } = gate(until);
    const waiter: Waiter = { until, open };
    queue.add(waiter);
    await opened;
    queue.delete(waiter);
    if (waiter.permit === undefined) throw kernelErrors.deadline(`waiting for ${this.#resource}`);
    return waiter.permit;
  }

  #issue(until: number): Release {
    const release: Release = () => void (this.#taken.delete(release) && this.#handOver());
    this.#taken.set(release, until + GRACE);
    return release;
  }

  #handOver(): void {
    const now = Date.now();
    for (const queue of [this.#urgent, this.#waiting]) {
      for (const next of queue) {
        queue.delete(next);
        if (next.until <= now) continue;
        next.permit = this.#issue(next.until);
        next.open();
        return;
      }
    }
    this.#free++;
  }

  /** Some runtimes abandon a request halfway. Without this its permit would be lost for ever. */
  #reclaimLost(): void {
    const now = Date.now();
    for (const [release, until] of this.#taken) if (until < now) release();
  }
}
