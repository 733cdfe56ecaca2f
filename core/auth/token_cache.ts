import type { TokenClaims } from "./token_claims.ts";

/** A verified token in the cache. */
export interface CachedToken<Extra> {
  readonly claims: TokenClaims;
  /** The revocation epoch at which the token was verified; the caller compares it with the current epoch. */
  readonly epoch: bigint;
  readonly extra: Extra;
}

/**
 * Caches up to `limit` verified tokens by their whole text. Two generations approximate least-recently-used eviction:
 * when the young one is full, it becomes the old one, and entries that were not used since are dropped.
 */
export class TokenCache<Extra> {
  readonly #generationLimit: number;
  #young = new Map<string, CachedToken<Extra>>();
  #old = new Map<string, CachedToken<Extra>>();

  /** @param limit at least 2 */
  constructor(limit: number) {
    if (!(limit >= 2)) throw new RangeError(`the limit of a token cache must be at least 2, got ${limit}`);
    this.#generationLimit = Math.floor(limit / 2);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Returns the token's entry, or undefined if it is not cached or has expired at `nowSeconds`. */
  get(token: string, nowSeconds: number): CachedToken<Extra> | undefined {
    let entry = this.#young.get(token);
    if (entry === undefined) {
      entry = this.#old.get(token);
      if (entry === undefined) return undefined;
      this.set(token, entry);
    }
    if (entry.claims.expiresAt > nowSeconds) return entry;
    this.delete(token);
    return undefined;
  }

  set(token: string, entry: CachedToken<Extra>): void {
    this.#old.delete(token);
    if (this.#young.size >= this.#generationLimit && !this.#young.has(token)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(token, entry);
  }

  delete(token: string): void {
    this.#young.delete(token);
    this.#old.delete(token);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
