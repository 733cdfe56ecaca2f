import { type Call, type Clock, unixSeconds } from "edgehelm";
import { hexText } from "edgehelm/wire";
import type { NSDomainStore } from "./store.ts";
import type { NSDomainRow } from "./store_tables.ts";

const TXT_LENGTH = 32;
/** The number of expired values that are recognized. */
const PAST_VALUES = 8;

/** A value that an owner publishes to verify a domain. */
export interface TXTValue {
  readonly txt: string;
  /** In unix seconds. */
  readonly expiresAt: bigint;
}

/**
 * The values that verify domains. They are derived from a secret of the installation, the domain, its owner and the
 * time, so that nothing is stored. Each is valid in two periods, in the first of which it is the current one.
 */
export class TXTValues {
  readonly #domains: NSDomainStore;
  readonly #clock: Clock;
  readonly #period: bigint;

  constructor(domains: NSDomainStore, clock: Clock, lifetimeSeconds: bigint) {
    this.#domains = domains;
    this.#clock = clock;
    this.#period = lifetimeSeconds;
  }

  /** Returns the current value of a domain. It stays valid for at least the lifetime. */
  async current(call: Call, row: NSDomainRow): Promise<TXTValue> {
    const now = this.#now();
    const [txt] = await this.#derive(call, row, [now / this.#period]);
    return { txt: txt!, expiresAt: (now / this.#period + 2n) * this.#period };
  }

  /** Tells whether one of the values verifies the domain, or did so recently. */
  async check(call: Call, row: NSDomainRow, found: readonly string[]): Promise<"valid" | "expired" | "unknown"> {
    const now = this.#now();
    // an earlier release stored the value
    if (row.verifyTXT !== "" && found.includes(row.verifyTXT)) return row.verifyExpiresAt > now ? "valid" : "expired";
    const current = now / this.#period;
    const periods = Array.from({ length: PAST_VALUES + 2 }, (_, age) => current - BigInt(age));
    const at = (await this.#derive(call, row, periods)).findIndex((txt) => found.includes(txt));
    return at < 0 ? "unknown" : at < 2 ? "valid" : "expired";
  }

  #now(): bigint {
    return BigInt(unixSeconds(this.#clock));
  }

  async #derive(call: Call, { id, userId }: NSDomainRow, periods: readonly bigint[]): Promise<string[]> {
    const { verification } = await this.#domains.secrets.one(call, {});
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", new Uint8Array(verification), algorithm, false, ["sign"]);
    return await Promise.all(periods.map(async (period) => {
      const text = new TextEncoder().encode(`${id} ${userId} ${period}`);
      const bytes = new Uint8Array(await crypto.subtle.sign(algorithm, key, text));
      return hexText(bytes).slice(0, TXT_LENGTH);
    }));
  }
}
