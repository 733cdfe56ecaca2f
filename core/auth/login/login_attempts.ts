import type { Call } from "../../base/call.ts";
import type { Clock, Timers } from "../../base/clock.ts";
import { type Contract, defineContract } from "../../base/contract.ts";
import { kernelErrors } from "../../base/errors.ts";
import type { Limits } from "../../base/limits.ts";
import { errorText } from "../../base/log.ts";
import { addressKeysOf, AttemptBudgets, type Count, type Counts, nameKeyOf } from "./attempt_budgets.ts";
import type { LoginFailures } from "./login_failures.ts";

/** The delay of every attempt while too many fail in the whole installation. */
const SLOW_MILLISECONDS = 1000;

/**
 * Protects passwords and secrets from being guessed, by counting failed attempts per name and client address together,
 * per address, and in the whole installation. Every check of a password or a secret must run inside `guard`.
 */
export interface LoginAttempts {
  /**
   * Runs a check of a secret and returns its result. After too many recent failures for the name from the client's
   * address, or from the address, it refuses without running the check, so that not even the right secret succeeds from
   * there; from other addresses it does. While too many attempts fail in the whole installation, each takes a second
   * longer, whatever its result. Only failures count.
   *
   * @param name identifies the secret, such as `user ada`; names that do not exist count as well
   * @param check returns undefined if the secret is wrong; an attempt whose check throws does not count
   * @param statedAddress the address of the person, if a console with a token calls for them
   * @throws RpcError exhausted, with the seconds to wait
   */
  guard<Result>(
    call: Call,
    name: string,
    check: () => Promise<Result | undefined>,
    statedAddress?: string,
  ): Promise<Result | undefined>;
  /** Forgets the failures of a name from every address, on every instance. Call it when an admin lifts the lock. */
  lift(call: Call, name: string): Promise<void>;
  /** Forgets the failures of an address with all names, on every instance. */
  liftAddress(call: Call, address: string): Promise<void>;
}

/**
 * The kernel's contract for login attempts.
 *
 * @example
 * ```ts
 * const user = await deps.attempts.guard(call, `user ${username}`, async () => {
 *   const user = await store.byUsername.first(call, { username });
 *   const matches = user === undefined
 *     ? await deps.passwords.verifyNothing(call, password)
 *     : await deps.passwords.verify(call, password, user.passwordHash);
 *   return matches ? user : undefined;
 * });
 * ```
 */
export const LoginAttempts: Contract<LoginAttempts> = defineContract("kernel.login_attempts");

export interface LoginAttemptsDeps {
  readonly limits: Limits;
  readonly clock: Clock;
  readonly timers: Timers;
  /** The failures that all instances count in the database. */
  readonly failures: LoginFailures;
  /** Creates a call of the installation itself, which may transact. */
  readonly systemCall: () => Call;
}

/**
 * Counts failed attempts across all instances. The number of concurrent attempts is limited on each instance
 * separately; their failures count on all.
 */
export class CountedLoginAttempts implements LoginAttempts {
  readonly #deps: LoginAttemptsDeps;
  readonly #budgets: AttemptBudgets;

  constructor(deps: LoginAttemptsDeps) {
    this.#deps = deps;
    this.#budgets = new AttemptBudgets(deps.limits, deps.clock);
  }

  async guard<Result>(
    call: Call,
    name: string,
    check: () => Promise<Result | undefined>,
    statedAddress = "",
  ): Promise<Result | undefined> {
    const counts = await this.#budgets.countsOf(call, name, statedAddress);
    const { refusing, delaying } = counts;
    const all = [...refusing, delaying];
    await this.#load(all);
    await begin(all, refusing);
    let hasFailed = false;
    try {
      await this.#delay(counts);
      const result = await check();
      hasFailed = result === undefined;
      return result;
    } finally {
      for (const { budgets, key } of all) budgets.end(key, hasFailed);
      if (hasFailed) await this.#record(call, all);
    }
  }

  async lift(call: Call, name: string): Promise<void> {
    const key = await nameKeyOf(name);
    await call.transact((inner) => this.#deps.failures.forgetPlaces(inner, key));
  }

  async liftAddress(call: Call, address: string): Promise<void> {
    const keys = await addressKeysOf(address);
    await call.transact((inner) => this.#deps.failures.forget(inner, keys));
  }

  async #delay({ delaying: { budgets, key } }: Counts): Promise<void> {
    if (budgets.secondsToWait(key) === 0) return;
    await new Promise<void>((resolve) => this.#deps.timers.after(SLOW_MILLISECONDS, resolve));
  }

  /** Loads the failures that other instances counted, or this one before its last start, and the locks that were lifted. */
  async #load(counts: readonly Count[]): Promise<void> {
    const { failures, systemCall } = this.#deps;
    const stored = await failures.find(systemCall(), counts.flatMap(({ key, liftKey }) => [key, liftKey]));
    for (const { key, liftKey, budgets } of counts) {
      const lifted = stored.find(({ name }) => name === liftKey);
      if (lifted !== undefined) budgets.forget(key, Number(lifted.at));
      const row = stored.find(({ name }) => name === key);
      if (row !== undefined) budgets.raise(key, row.failures, Number(row.at));
    }
  }

  /**
   * Records a failure for all instances. It completes before the response is sent, so that the caller cannot try another
   * instance in the meantime. If it fails, the attempt still counts on this instance.
   */
  async #record(call: Call, counts: readonly Count[]): Promise<void> {
    const { failures, systemCall, limits: { loginSeconds } } = this.#deps;
    const increments = counts.map(({ key, limit }) => ({
      name: key,
      decayPerMillisecond: limit / (loginSeconds * 1000),
    }));
    try {
      await systemCall().transact((inner) => failures.add(inner, increments));
    } catch (error) {
      call.log.warn("login failure not recorded", { error: errorText(error) });
    }
  }
}

/** Begins an attempt when its budgets have room: no more checks run concurrently than are allowed to fail. */
async function begin(all: readonly Count[], counts: readonly Count[]): Promise<void> {
  for (;;) {
    const wait = Math.max(...counts.map(({ budgets, key }) => budgets.secondsToWait(key)));
    if (wait > 0) throw kernelErrors.too_many_attempts(Math.ceil(wait)).retryAfter(wait);
    const full = counts.find(({ budgets, key }) => !budgets.hasRoom(key));
    // Without a pause in between, or others could begin as well.
    if (full === undefined) return all.forEach(({ budgets, key }) => budgets.begin(key));
    await full.budgets.attemptEnded(full.key);
  }
}
