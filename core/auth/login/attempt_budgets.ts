import { base64Encode } from "@bufbuild/protobuf/wire";
import { type Call, callerId } from "../../base/call.ts";
import type { Clock } from "../../base/clock.ts";
import type { Limits } from "../../base/limits.ts";
import { addressGroup, addressSite } from "../../net/remote_address.ts";
import { FailureBudgets } from "./failure_budgets.ts";

/** The number of names, and of addresses, that are kept in memory. Those that failed least recently are dropped. */
const MAX_KEYS = 50_000;
/** The characters of a name that count. No real name is longer, and a longer one must not take more memory. */
const MAX_NAME_LENGTH = 128;

/** One of the budgets that an attempt counts against. */
export interface Count {
  /** A digest, because users sometimes type their password as their name. */
  readonly key: string;
  /** The key of the record that an admin lifted the lock. */
  readonly liftKey: string;
  readonly budgets: FailureBudgets;
  readonly limit: number;
}

/** The budgets of one attempt. */
export interface Counts {
  /** The budgets that refuse further attempts: of the name and address together, and of the address alone. */
  readonly refusing: readonly Count[];
  /** The budget of the installation, which only delays. */
  readonly delaying: Count;
}

/** Budgets for failed attempts, in memory: by name and address, by address, and for the whole installation. */
export class AttemptBudgets {
  readonly #limits: Limits;
  readonly #byName: FailureBudgets;
  readonly #byAddress: FailureBudgets;
  readonly #ofAll: FailureBudgets;

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    const common = { decaySeconds: limits.loginSeconds, maxKeys: MAX_KEYS, clock };
    this.#byName = new FailureBudgets({ maxFailures: limits.loginFailures, ...common });
    this.#byAddress = new FailureBudgets({ maxFailures: limits.loginFailuresPerAddress, ...common });
    this.#ofAll = new FailureBudgets({ maxFailures: limits.loginFailuresTotal, ...common });
  }

  /** @param statedAddress the address of the person for whom a console with a token calls; empty if unknown */
  async countsOf(call: Call, name: string, statedAddress: string): Promise<Counts> {
    const { loginFailures, loginFailuresPerAddress, loginFailuresTotal } = this.#limits;
    const address = addressOf(call, statedAddress);
    const place = address === undefined ? placeOf(call) : addressGroup(address);
    const nameKey = await nameKeyOf(name);
    const key = `${nameKey}.${await digest(`place ${place}`)}`;
    const refusing: Count[] = [
      { key, liftKey: liftKeyOf(nameKey), budgets: this.#byName, limit: loginFailures },
    ];
    for (const key of address === undefined ? [] : await addressKeysOf(address)) {
      refusing.push({ key, liftKey: liftKeyOf(key), budgets: this.#byAddress, limit: loginFailuresPerAddress });
    }
    const delaying = { key: "all", liftKey: liftKeyOf("all"), budgets: this.#ofAll, limit: loginFailuresTotal };
    return { refusing, delaying };
  }
}

/** Returns the start of the keys of a name, which is the same for every address. */
export async function nameKeyOf(name: string): Promise<string> {
  return await digest(`name ${name.slice(0, MAX_NAME_LENGTH).toLowerCase()}`);
}

/** Returns the keys of an address: its group and, for IPv6, its site. */
export async function addressKeysOf(address: string): Promise<string[]> {
  const groups = new Set([addressGroup(address), addressSite(address)]);
  return await Promise.all([...groups].map((group) => digest(`address ${group}`)));
}

/** Returns the key of the record that a lock was lifted. */
export function liftKeyOf(key: string): string {
  return `lifted ${key}`;
}

/** Returns undefined for callers with a token that state no address: they are consoles that log in many people. */
function addressOf({ caller, remoteAddress }: Call, statedAddress: string): string | undefined {
  if (caller.role === "anonymous") return remoteAddress;
  return statedAddress === "" ? undefined : statedAddress;
}

/**
 * Returns the place of an attempt that states no address: the console through which it was made. A place never has a budget
 * of its own, only together with a name. A visitor of a console can therefore use up the budget of a name, but lock out
 * neither other names nor the console; for the name, logins with an address and through other consoles remain possible.
 */
function placeOf({ caller }: Call): string {
  return `${caller.role} ${callerId(caller)}`;
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64Encode(new Uint8Array(bytes));
}
