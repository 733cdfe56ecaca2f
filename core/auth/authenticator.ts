import { type Call, type Caller, tokenCaller } from "../base/call.ts";
import type { Clock } from "../base/clock.ts";
import { kernelErrors, type RpcError } from "../base/errors.ts";
import { Semaphore } from "../base/semaphore.ts";
import type { CredentialSource } from "./credentials.ts";
import type { Revocation } from "./revocation.ts";
import type { JwtTokens } from "./token.ts";
import { TokenCache } from "./token_cache.ts";
import type { TokenClaims } from "./token_claims.ts";
import { TokenWatch } from "./token_watch.ts";

const CACHED_TOKENS = 20_000;
/** Streams whose tokens are checked again at the same time, so that calls do not wait behind thousands of them. */
const CHECKED_AT_ONCE = 32;
const MAX_WAIT = 60_000;

export interface AuthenticatorDeps {
  readonly tokens: JwtTokens<Call>;
  readonly revocation: Revocation;
  readonly sources: readonly CredentialSource[];
  readonly clock: Clock;
  /** A call of the installation's own, to read with until a time in unix milliseconds. */
  readonly systemCall: (deadline?: number) => Call;
}

/** Turns an access token into a caller. A token is verified once; expiry and revocation are checked every time. */
export class Authenticator {
  readonly #deps: AuthenticatorDeps;
  readonly #cache = new TokenCache<Caller>(CACHED_TOKENS);
  readonly #verifications = new Semaphore(CHECKED_AT_ONCE, "the verification of an access token");

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
  }

  /** @throws RpcError unauthenticated, or unavailable when it cannot be found out whether the token still holds */
  authenticate(token: string | undefined): Caller | Promise<Caller> {
    if (token === undefined || token === "") throw kernelErrors.token_missing();
    const { revocation, systemCall } = this.#deps;
    return revocation.makeCurrent(systemCall)?.then(() => this.#find(token)) ?? this.#find(token);
  }

  /**
   * Looks after the token of a call that was let in and goes on.
   *
   * @param ended told once, when the token would be refused now; that it expires does not end what it began
   * @returns what to call when the call is over
   */
  watch(token: string, ended: (reason: RpcError) => void): () => void {
    const { revocation, systemCall } = this.#deps;
    const known = this.#cache.get(token, -Infinity);
    const isLive = async () => {
      const release = await this.#verifications.acquire(Date.now() + MAX_WAIT);
      try {
        const claims = known?.claims ?? await this.#deps.tokens.verify(systemCall(), token);
        return await this.#isLive(claims);
      } catch (error) {
        if ((error as RpcError).kind === "unauthenticated") return false;
        throw error;
      } finally {
        release();
      }
    };
    const watch = new TokenWatch({ revocation, reading: systemCall, isLive, ended }, known?.epoch ?? -1n);
    return () => watch.stop();
  }

  #find(token: string): Caller | Promise<Caller> {
    const { clock, revocation } = this.#deps;
    const known = this.#cache.get(token, clock.now() / 1000);
    if (known === undefined) return this.#verify(token);
    return known.epoch === revocation.epoch ? known.extra : this.#recheck(token, known.claims);
  }

  async #verify(token: string): Promise<Caller> {
    const { tokens, systemCall } = this.#deps;
    return await this.#recheck(token, await tokens.verify(systemCall(), token));
  }

  async #recheck(token: string, claims: TokenClaims): Promise<Caller> {
    const { epoch } = this.#deps.revocation;
    if (!await this.#isLive(claims)) {
      this.#cache.delete(token);
      throw kernelErrors.token_invalid();
    }
    const caller = tokenCaller(claims.role, claims.subjectId);
    this.#cache.set(token, { claims, epoch, extra: caller });
    return caller;
  }

  async #isLive(claims: TokenClaims): Promise<boolean> {
    const { sources, systemCall } = this.#deps;
    const source = sources.find((one) => one.name === claims.source);
    return source !== undefined && await source.isLive(systemCall(), claims.role, claims);
  }
}
