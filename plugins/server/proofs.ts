import { type Call, type Clock, distinct, unixSeconds } from "edgehelm";
import { randomAlphanumerics } from "edgehelm/auth";
import type { DomainVerification } from "../ns_domain/contract.ts";
import type { UserRemoval } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { baseName } from "./names.ts";
import type { NameStore } from "./store_names.ts";

const VALUE_LENGTH = 32;
/** The maximum number of names that one call verifies: each is a DNS query. */
const MAX_AT_ONCE = 10;

/** Verifies that users control names which other users hold. */
export class NameProofs {
  readonly #names: NameStore;
  readonly #verification: DomainVerification | undefined;
  readonly #clock: Clock;
  /** Removes the values of a deleted user. */
  readonly removal: UserRemoval = {
    removeSome: (call, userId, limit) => this.#names.removeSomeProofs.run(call, { userId, limit }),
  };

  constructor(names: NameStore, verification: DomainVerification | undefined, clock: Clock) {
    this.#names = names;
    this.#verification = verification;
    this.#clock = clock;
  }

  /**
   * Returns those of the names, without their wildcards, that the user controls; none if DNS cannot be queried.
   *
   * @throws `server.name_unproved` with the record to publish for the first name that the user does not control
   */
  async require(call: Call, userId: bigint, names: readonly string[], field: string): Promise<ReadonlySet<string>> {
    const bases = distinct(names.map(baseName));
    const verification = this.#verification;
    if (bases.length === 0 || bases.length > MAX_AT_ONCE || !verification?.isAvailable) return new Set();
    const values = await call.transact((inner) => this.#values(inner, userId, bases, verification));
    const published = await Promise.all(bases.map((base) => verification.valuesOf(call, base)));
    const unproved = bases.findIndex((base, index) => !published[index]!.includes(values.get(base)!));
    if (unproved < 0) return new Set(bases);
    const base = bases[unproved]!;
    const name = names.find((candidate) => baseName(candidate) === base)!;
    throw errors.name_unproved(field, name, verification.recordOf(base), values.get(base)!);
  }

  /** Ends the validity of values after their names were claimed: each is used once. */
  async used(call: Call, userId: bigint, bases: ReadonlySet<string>): Promise<void> {
    if (bases.size > 0) await this.#names.dropProofs.run(call, { userId, names: [...bases] });
  }

  /** Returns the values that the user must publish; new ones for names that have none. */
  async #values(
    call: Call,
    userId: bigint,
    bases: readonly string[],
    { lifetimeSeconds }: DomainVerification,
  ): Promise<ReadonlyMap<string, string>> {
    const now = BigInt(unixSeconds(this.#clock));
    await this.#names.dropExpiredProofs.run(call, { now });
    const stored = await this.#names.proofs.all(call, { userId, names: bases, now });
    const values = new Map(stored.map(({ name, value }) => [name, value]));
    for (const name of bases) {
      if (values.has(name)) continue;
      const value = randomAlphanumerics(VALUE_LENGTH);
      await this.#names.addProof.run(call, { userId, name, value, expiresAt: now + lifetimeSeconds });
      values.set(name, value);
    }
    return values;
  }
}
