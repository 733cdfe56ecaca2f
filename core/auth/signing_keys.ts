import type { JWK } from "jose";
import { awaitShared } from "../base/gate.ts";
import type { Sealer } from "./sealer.ts";
import { generateSigningKey, importSigningKey, type SigningKey } from "./signing_key.ts";

/** A row of the table of signing keys. Times are unix seconds. */
export interface SigningKeyRow {
  readonly kid: string;
  readonly publicJwk: string;
  readonly sealedPrivateJwk: string;
  readonly createdAt: bigint;
  /** The time from which the key no longer signs, possibly in the future; 0 if it is not being retired. */
  readonly retiredAt: bigint;
}

/** The queries on the table of signing keys. */
export interface SigningKeyStore<Context> {
  all(context: Context): Promise<SigningKeyRow[]>;
  insert(context: Context, row: SigningKeyRow): Promise<void>;
  retire(context: Context, kid: string, at: bigint): Promise<void>;
  delete(context: Context, kid: string): Promise<void>;
}

export interface SigningKeysOptions<Context> {
  readonly store: SigningKeyStore<Context>;
  readonly sealer: Sealer;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly rotateDays: number;
  readonly tokenLifetimeSeconds: number;
}

/** The age in milliseconds at which the cached keys are read again. */
const MAX_AGE = 30_000;
/** Tokens with an unknown kid cause at most one read in this interval, in milliseconds. */
const UNKNOWN_KID_INTERVAL = 1_000;
/**
 * The seconds for which a new key is published before it signs, and a retired key after its last token expired. It is
 * longer than MAX_AGE plus clock skew, so that every instance has a key before it receives a token signed with it.
 */
const OVERLAP_SECONDS = 60n;
/** The milliseconds that a call waits for a read that another call started. */
const MAX_LOAD_WAIT = 10_000;
const DAY_SECONDS = 86_400n;

interface LoadedKey extends SigningKey {
  readonly row: SigningKeyRow;
}

/** The keys that sign access tokens. All instances of an installation share them through the database. */
export class SigningKeys<Context> {
  readonly #options: SigningKeysOptions<Context>;
  #keys: ReadonlyMap<string, LoadedKey> = new Map();
  #loadedAt = -Infinity;
  #attemptedAt = -Infinity;
  #loading: Promise<void> | undefined;

  constructor(options: SigningKeysOptions<Context>) {
    this.#options = options;
  }

  /** Returns the current signing key. `context` should only be able to read: concurrent calls share one read. */
  async current(context: Context): Promise<SigningKey> {
    await this.#refresh(context, MAX_AGE);
    const signing = [...this.#keys.values()].filter(({ row }) =>
      row.retiredAt === 0n || row.retiredAt > this.#seconds()
    );
    const [oldest] = signing.sort((first, second) => Number(first.row.createdAt - second.row.createdAt));
    if (oldest === undefined) throw new Error("no signing key exists: rotateIfDue must run before the first token");
    return oldest;
  }

  /** Returns the public key with this `kid`, or undefined if it does not exist or has expired. */
  async verificationKey(context: Context, kid: string): Promise<CryptoKey | undefined> {
    await this.#refresh(context, MAX_AGE);
    if (!this.#keys.has(kid) && this.#since(this.#attemptedAt) >= UNKNOWN_KID_INTERVAL) {
      await this.#refresh(context, UNKNOWN_KID_INTERVAL);
    }
    const key = this.#keys.get(kid);
    return key !== undefined && !this.#isExpired(key.row) ? key.publicKey : undefined;
  }

  /** Returns the JWK Set (RFC 7517): every public key that can verify a token, now or soon. */
  async jwks(context: Context): Promise<{ keys: JWK[] }> {
    await this.#refresh(context, MAX_AGE);
    const live = [...this.#keys.values()].filter(({ row }) => !this.#isExpired(row));
    return { keys: live.map(({ publicJwk }) => publicJwk) };
  }

  /** Reads the keys from the database, ignoring the cache. */
  async load(context: Context): Promise<void> {
    await this.#refresh(context, 0);
  }

  /**
   * Generates a key if there is none or the current one is older than `rotateDays`, and deletes keys whose tokens have
   * all expired. It changes the database only, so that a rollback undoes it; call `load` after the commit.
   *
   * @returns true if anything changed
   */
  async rotateIfDue(context: Context): Promise<boolean> {
    const { store, rotateDays } = this.#options;
    const now = this.#seconds();
    const rows = await store.all(context);
    const expired = rows.filter((row) => this.#isExpired(row));
    for (const { kid } of expired) await store.delete(context, kid);

    const active = rows.filter(({ retiredAt }) => retiredAt === 0n);
    const dueBefore = now - BigInt(rotateDays) * DAY_SECONDS;
    if (active.some(({ createdAt }) => createdAt > dueBefore)) return expired.length > 0;
    await this.rotate(context);
    return true;
  }

  /**
   * Generates a key and retires the current one, so that it still signs while other instances read the new one. It
   * changes the database only, as `rotateIfDue` does.
   *
   * @returns the id of the new key
   */
  async rotate(context: Context): Promise<string> {
    const { store } = this.#options;
    const now = this.#seconds();
    const active = (await store.all(context)).filter(({ retiredAt }) => retiredAt === 0n);
    for (const { kid } of active) await store.retire(context, kid, now + OVERLAP_SECONDS);
    const row = await this.#newRow(now);
    await store.insert(context, row);
    return row.kid;
  }

  async #newRow(createdAt: bigint): Promise<SigningKeyRow> {
    const { kid, publicJwk, privateJwk } = await generateSigningKey();
    const sealedPrivateJwk = await this.#options.sealer.seal(privateJwk, privateKeyPlace(kid));
    return { kid, publicJwk, sealedPrivateJwk, createdAt, retiredAt: 0n };
  }

  /** Returns true if the last token that the key signed has expired. */
  #isExpired({ retiredAt }: SigningKeyRow): boolean {
    return retiredAt !== 0n &&
      retiredAt + BigInt(this.#options.tokenLifetimeSeconds) + OVERLAP_SECONDS <= this.#seconds();
  }

  async #refresh(context: Context, freshFor: number): Promise<void> {
    // A read that another call started serves this one as well. If it fails, for example because its caller went away,
    // this call reads by itself.
    for (let loading = this.#loading; loading !== undefined; loading = this.#loading) {
      await awaitShared(loading, MAX_LOAD_WAIT, () => new Error("reading the keys took too long")).catch(() =>
        undefined
      );
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
    const startedAt = this.#attemptedAt = this.#options.now();
    const rows = await this.#options.store.all(context);
    const keys = await Promise.all(rows.map((row) => this.#open(row)));
    this.#keys = new Map(keys.map((key) => [key.kid, key]));
    this.#loadedAt = startedAt;
  }

  async #open(row: SigningKeyRow): Promise<LoadedKey> {
    const cached = this.#keys.get(row.kid);
    if (cached?.row.sealedPrivateJwk === row.sealedPrivateJwk) return { ...cached, row };
    const privateJwk = await this.#options.sealer.open(row.sealedPrivateJwk, privateKeyPlace(row.kid));
    return { ...await importSigningKey(row.kid, privateJwk), row };
  }

  /** Returns an absolute difference, so that the cache expires even if the clock was set back. */
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
