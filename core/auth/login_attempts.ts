import { base64Encode } from "@bufbuild/protobuf/wire";
import type { Call } from "../base/call.ts";
import type { Clock } from "../base/clock.ts";
import { type Contract, defineContract } from "../base/contract.ts";
import { kernelErrors } from "../base/errors.ts";
import type { Limits } from "../base/limits.ts";
import { addressGroup } from "../net/remote_address.ts";
import { errorText } from "../base/log.ts";
import { FailureBudgets } from "./failure_budgets.ts";
import type { LoginFailures } from "./login_failures.ts";

/** The number of names, and of addresses, that are kept in memory. Those that failed least recently are dropped. */
const MAX_KEYS = 50_000;
/** The characters of a name that count. No real name is longer, and a longer one must not take more memory. */
const MAX_NAME_LENGTH = 128;

/**
 * Protects passwords and secrets from being guessed, by counting failed attempts per name and per client address. Every
 * check of a password or a secret must run inside `guard`.
 */
export interface LoginAttempts {
  /**
   * Runs a check of a secret and returns its result. After too many recent failures for the name or the client address,
   * it refuses without running the check, so that not even the right secret succeeds. Only failures count.
   *
   * @param name identifies the secret, such as `user ada`; names that do not exist count as well
   * @param check returns undefined if the secret is wrong; an attempt whose check throws does not count
   * @throws RpcError exhausted, with the seconds to wait
   */
  guard<Result>(call: Call, name: string, check: () => Promise<Result | undefined>): Promise<Result | undefined>;
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
  /** The failures that all instances count in the database. */
  readonly failures: LoginFailures;
  /** Creates a call of the installation itself, which may transact. */
  readonly systemCall: () => Call;
}

/** One of the budgets that an attempt counts against. */
interface Count {
  /** A digest, because users sometimes type their password as their name. */
  readonly key: string;
  readonly budgets: FailureBudgets;
  readonly limit: number;
}

/**
 * Counts failed attempts across all instances. The number of concurrent attempts is limited on each instance
 * separately; their failures count on all.
 */
export class CountedLoginAttempts implements LoginAttempts {
  readonly #deps: LoginAttemptsDeps;
  readonly #byName: FailureBudgets;
  readonly #byAddress: FailureBudgets;

  constructor(deps: LoginAttemptsDeps) {
    this.#deps = deps;
    const { limits: { loginFailures, loginFailuresPerAddress, loginSeconds }, clock } = deps;
    const common = { decaySeconds: loginSeconds, maxKeys: MAX_KEYS, clock };
    this.#byName = new FailureBudgets({ maxFailures: loginFailures, ...common });
    this.#byAddress = new FailureBudgets({ maxFailures: loginFailuresPerAddress, ...common });
  }

  async guard<Result>(
    call: Call,
    name: string,
    check: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const counts = await this.#countsOf(call, name);
    await this.#load(counts);
    for (;;) {
      const wait = Math.max(...counts.map(({ budgets, key }) => budgets.secondsToWait(key)));
      if (wait > 0) throw kernelErrors.too_many_attempts(Math.ceil(wait)).retryAfter(wait);
      // No more checks run concurrently than are allowed to fail. The others wait for their results.
      const full = counts.find(({ budgets, key }) => !budgets.hasRoom(key));
      if (full === undefined) break;
      await full.budgets.attemptEnded(full.key);
    }
    for (const { budgets, key } of counts) budgets.begin(key);
    let hasFailed = false;
    try {
      const result = await check();
      hasFailed = result === undefined;
      return result;
    } finally {
      for (const { budgets, key } of counts) budgets.end(key, hasFailed);
      if (hasFailed) await this.#record(call, counts);
    }
  }

  async #countsOf(call: Call, name: string): Promise<Count[]> {
    const { loginFailures, loginFailuresPerAddress } = this.#deps.limits;
    const address = addressOf(call);
    const key = await digest(`name ${name.slice(0, MAX_NAME_LENGTH).toLowerCase()}`);
    const counts = [{ budgets: this.#byName, limit: loginFailures, key }];
    if (address !== undefined) {
      const key = await digest(`address ${address}`);
      counts.push({ budgets: this.#byAddress, limit: loginFailuresPerAddress, key });
    }
    return counts;
  }

  /** Loads the failures that other instances counted, or this one before its last start. */
  async #load(counts: readonly Count[]): Promise<void> {
    const { failures, systemCall } = this.#deps;
    const stored = await failures.find(systemCall(), counts.map(({ key }) => key));
    for (const { name, failures, at } of stored) {
      counts.find(({ key }) => key === name)!.budgets.raise(name, failures, Number(at));
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

/** Returns undefined for callers with a token: they are consoles that log in many people from one address. */
function addressOf({ caller, remoteAddress }: Call): string | undefined {
  return caller.role === "anonymous" && remoteAddress !== undefined ? addressGroup(remoteAddress) : undefined;
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64Encode(new Uint8Array(bytes));
}
