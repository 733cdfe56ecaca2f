import type { Clock } from "../../base/clock.ts";
import { gate } from "../../base/gate.ts";

/** The tolerance when fractions of failures are compared. */
const EPSILON = 1e-6;
/** The milliseconds after which a waiting attempt checks again, in case a running attempt was lost. */
const MAX_WAIT = 10_000;

export interface FailureBudgetOptions {
  /** The number of failures after which a key is blocked. */
  readonly maxFailures: number;
  /** The seconds in which `maxFailures` failures expire, evenly. */
  readonly decaySeconds: number;
  /** The number of keys that are kept in memory. */
  readonly maxKeys: number;
  readonly clock: Clock;
}

/** The state of one key. */
interface Budget {
  /** The number of unexpired failures at the time `at`. */
  failures: number;
  /** Unix milliseconds. */
  at: number;
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits failed attempts by key with a leaky bucket for each. Memory is bounded by two generations: when the young one
 * is full, it becomes the old one, and keys without a failure since then are dropped.
 */
export class FailureBudgets {
  readonly #options: FailureBudgetOptions;
  readonly #running = new Map<string, Budget>();
  #young = new Map<string, Budget>();
  #old = new Map<string, Budget>();

  constructor(options: FailureBudgetOptions) {
    this.#options = options;
  }

  /**
   * Raises a key's failures to those counted by other instances.
   *
   * @param at the time of the count, in unix milliseconds
   */
  raise(key: string, failures: number, at: number): void {
    const budget = this.#find(key) ?? { failures: 0, at, running: 0, waiting: [] };
    const raised = this.#failuresNow({ ...budget, failures, at });
    if (raised <= this.#failuresNow(budget)) return;
    budget.failures = raised;
    budget.at = this.#options.clock.now();
    this.#store(key, budget);
  }

  /**
   * Forgets the failures of a key, because an admin lifted the lock.
   *
   * @param until the time at which it was lifted, in unix milliseconds; later failures still count
   */
  forget(key: string, until: number): void {
    const budget = this.#find(key);
    if (budget !== undefined && budget.at <= until) budget.failures = 0;
  }

  /** Returns the seconds until the key is no longer blocked; 0 if it is not. */
  secondsToWait(key: string): number {
    const budget = this.#find(key);
    if (budget === undefined) return 0;
    const excess = this.#failuresNow(budget) - (this.#options.maxFailures - 1);
    return excess <= EPSILON ? 0 : excess * this.#options.decaySeconds / this.#options.maxFailures;
  }

  /** Returns true if the key stays within its limit even if all running attempts and one more fail. */
  hasRoom(key: string): boolean {
    const budget = this.#find(key);
    return budget === undefined ||
      this.#failuresNow(budget) + budget.running <= this.#options.maxFailures - 1 + EPSILON;
  }

  /** Resolves when one of the key's running attempts ends, or after 10 seconds. */
  async attemptEnded(key: string): Promise<void> {
    const budget = this.#running.get(key);
    if (budget === undefined) return;
    const { opened, open } = gate(Date.now() + MAX_WAIT);
    budget.waiting.push(open);
    await opened;
  }

  begin(key: string): void {
    const budget = this.#find(key) ?? { failures: 0, at: this.#options.clock.now(), running: 0, waiting: [] };
    budget.running++;
    this.#running.set(key, budget);
  }

  end(key: string, hasFailed: boolean): void {
    const budget = this.#running.get(key)!;
    if (hasFailed) {
      budget.failures = this.#failuresNow(budget) + 1;
      budget.at = this.#options.clock.now();
      this.#store(key, budget);
    }
    if (--budget.running === 0) this.#running.delete(key);
    for (const resume of budget.waiting.splice(0)) resume();
  }

  /** The number of keys with failures in memory. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #find(key: string): Budget | undefined {
    return this.#running.get(key) ?? this.#young.get(key) ?? this.#old.get(key);
  }

  #failuresNow({ failures, at }: Budget): number {
    const { clock, maxFailures, decaySeconds } = this.#options;
    // If the clock was set back, no failure expires.
    const seconds = Math.max(0, clock.now() - at) / 1000;
    return Math.max(0, failures - seconds * maxFailures / decaySeconds);
  }

  #store(key: string, budget: Budget): void {
    this.#old.delete(key);
    if (this.#young.size >= this.#options.maxKeys / 2 && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, budget);
  }
}
