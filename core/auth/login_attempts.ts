import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { type Contract, defineContract } from "../contract.ts";
import { kernelErrors } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { addressGroup } from "../remote_address.ts";
import { FailureBudgets } from "./failure_budgets.ts";

/** How many names and addresses are remembered; beyond it the ones that failed longest ago are forgotten. */
const REMEMBERED = 50_000;
/** No real name is longer; what is cut off could only make two strangers' guesses count together. */
const LONGEST_NAME = 128;

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

/** Counts in memory: each instance of an installation for itself. */
export class CountedLoginAttempts implements LoginAttempts {
  readonly #byName: FailureBudgets;
  readonly #byAddress: FailureBudgets;

  constructor(limits: Limits, clock: Clock) {
    const { loginFailures, loginFailuresPerAddress, loginSeconds } = limits;
    const common = { forgottenAfterSeconds: loginSeconds, remembered: REMEMBERED, clock };
    this.#byName = new FailureBudgets({ failures: loginFailures, ...common });
    this.#byAddress = new FailureBudgets({ failures: loginFailuresPerAddress, ...common });
  }

  async guard<Result>(
    call: Call,
    name: string,
    check: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const address = addressOf(call);
    const counted = [{ budgets: this.#byName, key: name.slice(0, LONGEST_NAME).toLowerCase() }];
    if (address !== undefined) counted.push({ budgets: this.#byAddress, key: address });
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
    }
  }
}

/** A caller with a token is a console that asks for many people: its address says nothing about them. */
function addressOf({ caller, remoteAddress }: Call): string | undefined {
  return caller.role === "anonymous" && remoteAddress !== undefined ? addressGroup(remoteAddress) : undefined;
}
