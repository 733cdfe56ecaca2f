import type { Clock } from "../base/clock.ts";
import { gate } from "../base/gate.ts";

/** What fractions of failures may be off by. */
const ROUNDING = 1e-6;
/** Milliseconds after which it is looked again whether attempts still run. */
const MAX_ATTEMPT = 10_000;

export interface FailureBudgetOptions {
  /** How many failures a key may have at once. */
  readonly failures: number;
  /** In which time that many are forgotten. */
  readonly forgottenAfterSeconds: number;
  /** How many keys are remembered. */
  readonly remembered: number;
  readonly clock: Clock;
}

/** What is known of one key. */
interface Budget {
  /** Failures that are not forgotten yet, as they stood at `at`. */
  failures: number;
  /** Unix milliseconds. */
  at: number;
  running: number;
  waiting: (() => void)[];
}

/**
 * Failures by key, each a bucket that leaks. Memory is bounded by two generations: when the young one is full it becomes
 * the old, and keys that did not fail since are forgotten.
 */
export class FailureBudgets {
  readonly #options: FailureBudgetOptions;
  readonly #running = new Map<string, Budget>();
  #young = new Map<string, Budget>();
  #old = new Map<string, Budget>();

  constructor(options: FailureBudgetOptions) {
    this.#options = options;
  }

  /** Takes over what is known elsewhere of a key: its failures, as they stood at that time in unix milliseconds. */
  learn(key: string, failures: number, at: number): void {
    const known = this.#find(key) ?? { failures: 0, at, running: 0, waiting: [] };
    const now = this.#failuresNow({ ...known, failures, at });
    if (now <= this.#failuresNow(known)) return;
    known.failures = now;
    known.at = this.#options.clock.now();
    this.#remember(key, known);
  }

  /** How long until another attempt may be made; 0 means now. */
  secondsToWait(key: string): number {
    const budget = this.#find(key);
    if (budget === undefined) return 0;
    const over = this.#failuresNow(budget) - (this.#options.failures - 1);
    return over <= ROUNDING ? 0 : over * this.#options.forgottenAfterSeconds / this.#options.failures;
  }

  /** Whether one more attempt may run beside those that run already, even if all of them fail. */
  hasRoom(key: string): boolean {
    const budget = this.#find(key);
    return budget === undefined ||
      this.#failuresNow(budget) + budget.running <= this.#options.failures - 1 + ROUNDING;
  }

  /** Resolves when one of the running attempts ends, or none has for long. */
  async settled(key: string): Promise<void> {
    const budget = this.#running.get(key);
    if (budget === undefined) return;
    const { opened, open } = gate(Date.now() + MAX_ATTEMPT);
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
      this.#remember(key, budget);
    }
    if (--budget.running === 0) this.#running.delete(key);
    for (const resume of budget.waiting.splice(0)) resume();
  }

  /** How many keys are remembered for their failures. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #find(key: string): Budget | undefined {
    return this.#running.get(key) ?? this.#young.get(key) ?? this.#old.get(key);
  }

  #failuresNow({ failures, at }: Budget): number {
    const { clock, failures: most, forgottenAfterSeconds } = this.#options;
    // A clock that was set back forgets nothing.
    const seconds = Math.max(0, clock.now() - at) / 1000;
    return Math.max(0, failures - seconds * most / forgottenAfterSeconds);
  }

  #remember(key: string, budget: Budget): void {
    this.#old.delete(key);
    if (this.#young.size >= this.#options.remembered / 2 && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, budget);
  }
}
