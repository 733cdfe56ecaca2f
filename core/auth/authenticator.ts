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

const MAX_CACHED_TOKENS = 20_000;
/** The number of streams whose tokens are rechecked concurrently, so that calls do not queue behind thousands of them. */
const MAX_CONCURRENT_RECHECKS = 32;
const MAX_RECHECK_WAIT_MILLISECONDS = 60_000;

export interface AuthenticatorDeps {
  readonly tokens: JwtTokens<Call>;
  readonly revocation: Revocation;
  readonly sources: readonly CredentialSource[];
  readonly clock: Clock;
  /** Creates a read-only call of the installation itself, with a deadline in unix milliseconds. */
  readonly systemCall: (deadline?: number) => Call;
}

/** Authenticates callers. A token's signature is verified once; its expiry and revocation are checked on every call. */
export class Authenticator {
  readonly #deps: AuthenticatorDeps;
  readonly #cache = new TokenCache<Caller>(MAX_CACHED_TOKENS);
  readonly #rechecks = new Semaphore(MAX_CONCURRENT_RECHECKS, "the verification of an access token");

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the caller that a token identifies; synchronously if the token is cached.
   *
   * @throws RpcError unauthenticated, or unavailable if the database cannot be asked whether the token was revoked
   */
  authenticate(token: string | undefined): Caller | Promise<Caller> {
    if (token === undefined || token === "") throw kernelErrors.token_missing();
    const { revocation, systemCall } = this.#deps;
    return revocation.ensureFresh(systemCall)?.then(() => this.#lookUp(token)) ?? this.#lookUp(token);
  }

  /**
   * Watches the token of a call that is in progress, such as a stream.
   *
   * @param onRevoked called once, when the token is revoked; a token that merely expires does not end its streams
   * @returns a function that stops watching
   */
  watch(token: string, onRevoked: (reason: RpcError) => void): () => void {
    const { revocation, systemCall } = this.#deps;
    const cached = this.#cache.get(token, -Infinity);
    const isLive = async () => {
      const release = await this.#rechecks.acquire(Date.now() + MAX_RECHECK_WAIT_MILLISECONDS);
      try {
        const claims = cached?.claims ?? await this.#deps.tokens.verify(systemCall(), token);
        return await this.#isLive(claims);
      } catch (error) {
        if ((error as RpcError).kind === "unauthenticated") return false;
        throw error;
      } finally {
        release();
      }
    };
    const watch = new TokenWatch({ revocation, systemCall, isLive, onRevoked }, cached?.epoch ?? -1n);
    return () => watch.stop();
  }

  #lookUp(token: string): Caller | Promise<Caller> {
    const { clock, revocation } = this.#deps;
    const cached = this.#cache.get(token, clock.now() / 1000);
    if (cached === undefined) return this.#verify(token);
    return cached.epoch === revocation.epoch ? cached.extra : this.#recheck(token, cached.claims);
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
    const source = sources.find(({ name }) => name === claims.source);
    return source !== undefined && await source.isLive(systemCall(), claims.role, claims);
  }
}
