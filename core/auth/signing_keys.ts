import type { CryptoKey, JWK } from "jose";
import { shared } from "../base/gate.ts";
import type { Sealer } from "./sealer.ts";
import { generateSigningKey, importSigningKey, type SigningKey } from "./signing_key.ts";

/** A signing key as the database keeps it; times are unix seconds. */
export interface SigningKeyRow {
  readonly kid: string;
  readonly publicJwk: string;
  readonly sealedPrivateJwk: string;
  readonly createdAt: bigint;
  /** When it stops signing, which may be yet to come; 0 while no end is set. */
  readonly retiredAt: bigint;
}

/** The table of signing keys. */
export interface SigningKeyStore<Context> {
  all(context: Context): Promise<SigningKeyRow[]>;
  insert(context: Context, row: SigningKeyRow): Promise<void>;
  retire(context: Context, kid: string, at: bigint): Promise<void>;
  remove(context: Context, kid: string): Promise<void>;
}

export interface SigningKeysOptions<Context> {
  readonly store: SigningKeyStore<Context>;
  readonly sealer: Sealer;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly rotateDays: number;
  readonly tokenLifetimeSeconds: number;
}

// An instance is at most this far behind the table, in milliseconds.
const FRESH_FOR = 30_000;
// An unknown kid makes one read in this time, however many there are.
const UNKNOWN_KID_INTERVAL = 1_000;
// A new key is shown this long before it signs, and a retired one this long after it is needed: seconds. More than
// FRESH_FOR, so that every instance knows a key before the first token that it signed arrives, and room for clock skew.
const OVERLAP = 60n;
/** How long others wait for a read that one call began: milliseconds. */
const LOADING = 10_000;
const DAY = 86_400n;

interface LoadedKey extends SigningKey {
  readonly row: SigningKeyRow;
}

/** The keys that sign access tokens, shared by all instances of the installation through its database. */
export class SigningKeys<Context> {
  readonly #options: SigningKeysOptions<Context>;
  #keys: ReadonlyMap<string, LoadedKey> = new Map();
  #loadedAt = -Infinity;
  #triedAt = -Infinity;
  #loading: Promise<void> | undefined;

  constructor(options: SigningKeysOptions<Context>) {
    this.#options = options;
  }

  /** The key that signs now. Contexts are best for reading only: other callers may wait for the same read. */
  async current(context: Context): Promise<SigningKey> {
    await this.#refresh(context, FRESH_FOR);
    const signing = [...this.#keys.values()].filter(({ row }) =>
      row.retiredAt === 0n || row.retiredAt > this.#seconds()
    );
    const [oldest] = signing.sort((one, other) => Number(one.row.createdAt - other.row.createdAt));
    if (oldest === undefined) throw new Error("there is no signing key: rotateIfDue must run before the first token");
    return oldest;
  }

  /** The public key that tokens with this `kid` verify with; undefined when there is none, or none any more. */
  async verificationKey(context: Context, kid: string): Promise<CryptoKey | undefined> {
    await this.#refresh(context, FRESH_FOR);
    if (!this.#keys.has(kid) && this.#since(this.#triedAt) >= UNKNOWN_KID_INTERVAL) {
      await this.#refresh(context, UNKNOWN_KID_INTERVAL);
    }
    const key = this.#keys.get(kid);
    return key !== undefined && !this.#isSpent(key.row) ? key.publicKey : undefined;
  }

  /** The JWK set document: every public key that can still verify a token, or soon will. */
  async jwks(context: Context): Promise<{ keys: JWK[] }> {
    await this.#refresh(context, FRESH_FOR);
    const live = [...this.#keys.values()].filter(({ row }) => !this.#isSpent(row));
    return { keys: live.map(({ publicJwk }) => publicJwk) };
  }

  /** Reads the keys now, whatever is known already. */
  async load(context: Context): Promise<void> {
    await this.#refresh(context, 0);
  }

  /**
   * Makes a key when there is none or the current one is older than `rotateDays`, and removes those whose tokens have
   * all expired. It only writes, so that undoing the transaction undoes it: call `load` after the commit.
   *
   * @returns whether anything changed
   */
  async rotateIfDue(context: Context): Promise<boolean> {
    const { store, rotateDays } = this.#options;
    const now = this.#seconds();
    const rows = await store.all(context);
    const spent = rows.filter((row) => this.#isSpent(row));
    for (const { kid } of spent) await store.remove(context, kid);

    const open = rows.filter(({ retiredAt }) => retiredAt === 0n);
    const dueBefore = now - BigInt(rotateDays) * DAY;
    if (open.some(({ createdAt }) => createdAt > dueBefore)) return spent.length > 0;
    for (const { kid } of open) await store.retire(context, kid, now + OVERLAP);
    await store.insert(context, await this.#newRow(now));
    return true;
  }

  async #newRow(createdAt: bigint): Promise<SigningKeyRow> {
    const { kid, publicJwk, privateJwk } = await generateSigningKey();
    const sealedPrivateJwk = await this.#options.sealer.seal(privateJwk, privateKeyPlace(kid));
    return { kid, publicJwk, sealedPrivateJwk, createdAt, retiredAt: 0n };
  }

  /** Whether the last token that it signed has expired. */
  #isSpent({ retiredAt }: SigningKeyRow): boolean {
    return retiredAt !== 0n && retiredAt + BigInt(this.#options.tokenLifetimeSeconds) + OVERLAP <= this.#seconds();
  }

  async #refresh(context: Context, freshFor: number): Promise<void> {
    // Another caller's read serves as well, but its failure (its caller may have gone away) is not ours.
    for (let loading = this.#loading; loading !== undefined; loading = this.#loading) {
      await shared(loading, LOADING, () => new Error("the keys were not read in time")).catch(() => undefined);
      if (this.#loading === loading) this.#loading = undefined;
    }
    if (this.#since(this.#loadedAt) < freshFor) return;
    this.#loading = this.#read(context);
    try {
      await this.#loading;
    } finally {
      this.#loading = undefined;
    }
  }

  async #read(context: Context): Promise<void> {
    const startedAt = this.#triedAt = this.#options.now();
    const rows = await this.#options.store.all(context);
    const keys = await Promise.all(rows.map((row) => this.#open(row)));
    this.#keys = new Map(keys.map((key) => [key.kid, key]));
    this.#loadedAt = startedAt;
  }

  async #open(row: SigningKeyRow): Promise<LoadedKey> {
    const known = this.#keys.get(row.kid);
    if (known?.row.sealedPrivateJwk === row.sealedPrivateJwk) return { ...known, row };
    const privateJwk = await this.#options.sealer.open(row.sealedPrivateJwk, privateKeyPlace(row.kid));
    return { ...await importSigningKey(row.kid, privateJwk), row };
  }

  /** Absolute, because a clock that was set back must not make old knowledge look fresh. */
  #since(time: number): number {
    return Math.abs(this.#options.now() - time);
  }

  #seconds(): bigint {
    return BigInt(Math.floor(this.#options.now() / 1000));
  }
}

function privateKeyPlace(kid: string): { table: string; column: string; row: string } {
  return { table: "kernel_signing_keys", column: "sealedPrivateJwk", row: kid };
}
