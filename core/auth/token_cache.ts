import type { TokenClaims } from "./token_claims.ts";

/** What is remembered of a verified token. */
export interface CachedToken<Extra> {
  readonly claims: TokenClaims;
  /** The revocation epoch at which it was found good; the caller compares it with today's. */
  readonly epoch: bigint;
  readonly extra: Extra;
}

/**
 * Remembers verified tokens by their whole text, at most `limit` of them. Two generations stand in for an order of
 * use: when the young one is full it becomes the old, and what was not asked for since is forgotten.
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

  /** The token's entry, unless it is unknown or expired at `nowSeconds`. */
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
