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

/** How many names and addresses are remembered; beyond it the ones that failed longest ago are forgotten. */
const REMEMBERED = 50_000;
/** No real name is longer; what is cut off could only make two strangers' guesses count together. */
const MAX_NAME = 128;

/**
 * Lets secrets be checked, but not guessed: failures are counted by name and by the address they come from. Whoever
 * checks a password or a secret does it inside `guard`.
 */
export interface LoginAttempts {
  /**
   * Runs a check of a secret, unless too many lately failed for this name or from this address: then even the right
   * secret is refused, so that guessing on tells nothing. Successes cost nothing.
   *
   * @param name whose secret it is, such as `user ada`; unknown names count as well
   * @param check answers undefined when the secret is wrong; what it throws counts as no attempt
   * @throws RpcError exhausted, with the seconds to wait
   */
  guard<Result>(call: Call, name: string, check: () => Promise<Result | undefined>): Promise<Result | undefined>;
}

export const LoginAttempts: Contract<LoginAttempts> = defineContract("kernel.login_attempts");

export interface LoginAttemptsDeps {
  readonly limits: Limits;
  readonly clock: Clock;
  /** What all instances count together. */
  readonly failures: LoginFailures;
  /** A call of the installation's own, which may transact. */
  readonly systemCall: () => Call;
}

/** What an attempt counts for. */
interface Counted {
  /** What the failures are kept under: nobody learns from it what somebody typed. */
  readonly key: string;
  readonly budgets: FailureBudgets;
  readonly most: number;
}

/**
 * Counts what all instances saw. Attempts that run at the same moment are held back on each instance by itself; what
 * comes of them counts everywhere.
 */
export class CountedLoginAttempts implements LoginAttempts {
  readonly #deps: LoginAttemptsDeps;
  readonly #byName: FailureBudgets;
  readonly #byAddress: FailureBudgets;

  constructor(deps: LoginAttemptsDeps) {
    this.#deps = deps;
    const { limits: { loginFailures, loginFailuresPerAddress, loginSeconds }, clock } = deps;
    const common = { forgottenAfterSeconds: loginSeconds, remembered: REMEMBERED, clock };
    this.#byName = new FailureBudgets({ failures: loginFailures, ...common });
    this.#byAddress = new FailureBudgets({ failures: loginFailuresPerAddress, ...common });
  }

  async guard<Result>(
    call: Call,
    name: string,
    check: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const counted = await this.#counted(call, name);
    await this.#learn(counted);
    for (;;) {
      const wait = Math.max(...counted.map(({ budgets, key }) => budgets.secondsToWait(key)));
      if (wait > 0) throw kernelErrors.too_many_attempts(Math.ceil(wait)).retryAfter(wait);
      // As many checks run side by side as may fail; the others wait to see how those end.
      const full = counted.find(({ budgets, key }) => !budgets.hasRoom(key));
      if (full === undefined) break;
      await full.budgets.settled(full.key);
    }
    for (const { budgets, key } of counted) budgets.begin(key);
    let hasFailed = false;
    try {
      const result = await check();
      hasFailed = result === undefined;
      return result;
    } finally {
      for (const { budgets, key } of counted) budgets.end(key, hasFailed);
      if (hasFailed) await this.#tell(call, counted);
    }
  }

  async #counted(call: Call, name: string): Promise<Counted[]> {
    const { loginFailures, loginFailuresPerAddress } = this.#deps.limits;
    const address = addressOf(call);
    const key = await keyOf(`name ${name.slice(0, MAX_NAME).toLowerCase()}`);
    const counted = [{ budgets: this.#byName, most: loginFailures, key }];
    if (address !== undefined) {
      const key = await keyOf(`address ${address}`);
      counted.push({ budgets: this.#byAddress, most: loginFailuresPerAddress, key });
    }
    return counted;
  }

  /** What other instances saw, and this one before it started. */
  async #learn(counted: readonly Counted[]): Promise<void> {
    const { failures, systemCall } = this.#deps;
    const found = await failures.of(systemCall(), counted.map(({ key }) => key));
    for (const { name, failures, at } of found) {
      counted.find(({ key }) => key === name)!.budgets.learn(name, failures, Number(at));
    }
  }

  /** Before the answer leaves, so that nobody can try elsewhere meanwhile. Here it counts in any case. */
  async #tell(call: Call, counted: readonly Counted[]): Promise<void> {
    const { failures, systemCall, limits: { loginSeconds } } = this.#deps;
    const counts = counted.map(({ key, most }) => ({
      name: key,
      forgottenPerMillisecond: most / (loginSeconds * 1000),
    }));
    try {
      await systemCall().transact((inner) => failures.add(inner, counts));
    } catch (error) {
      call.log.warn("a failed login cannot be told to other instances", { error: errorText(error) });
    }
  }
}

/** A caller with a token is a console that asks for many people: its address says nothing about them. */
function addressOf({ caller, remoteAddress }: Call): string | undefined {
  return caller.role === "anonymous" && remoteAddress !== undefined ? addressGroup(remoteAddress) : undefined;
}

async function keyOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64Encode(new Uint8Array(digest));
}
