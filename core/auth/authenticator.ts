import { type Call, type Caller, tokenCaller } from "../base/call.ts";
import { type CallerStandingSource, standingOf } from "../base/caller_standings.ts";
import type { Clock } from "../base/clock.ts";
import { kernelErrors, type RpcError } from "../base/errors.ts";
import { Semaphore } from "../base/semaphore.ts";
import { accessOf, type AdminDirectory } from "./admin_directory.ts";
import type { CredentialSource } from "./credentials.ts";
import type { EndedTokens } from "./ended_tokens.ts";
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
  readonly ended: EndedTokens;
  readonly sources: readonly CredentialSource[];
  readonly directories: readonly AdminDirectory[];
  readonly standings: readonly CallerStandingSource[];
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
   * @param requireAllowed throws an RpcError if the caller, whose access may have changed, may no longer continue
   * @param onEnded called once, when the token is revoked or the caller may not continue; a token that merely expires
   *   does not end its streams
   * @returns a function that stops watching
   */
  watch(
    token: string,
    requireAllowed: (caller: Caller) => void,
    onEnded: (reason: RpcError) => void,
  ): () => void {
    const { revocation, systemCall } = this.#deps;
    const cached = this.#cache.get(token, -Infinity);
    const recheck = async () => {
      const release = await this.#rechecks.acquire(Date.now() + MAX_RECHECK_WAIT_MILLISECONDS);
      try {
        const claims = cached?.claims ?? await this.#deps.tokens.verify(systemCall(), token);
        const caller = await this.#callerOf(claims);
        if (caller === undefined) throw kernelErrors.token_invalid();
        requireAllowed(caller);
      } finally {
        release();
      }
    };
    const watch = new TokenWatch({ revocation, systemCall, recheck, onEnded }, cached?.epoch ?? -1n);
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
    const caller = await this.#callerOf(claims);
    if (caller === undefined) {
      this.#cache.delete(token);
      throw kernelErrors.token_invalid();
    }
    this.#cache.set(token, { claims, epoch, extra: caller });
    return caller;
  }

  /** Returns the caller, or undefined if the credential was revoked, its tokens ended or its subject may have none. */
  async #callerOf(claims: TokenClaims): Promise<Caller | undefined> {
    const { sources, directories, standings, revocation, ended, systemCall } = this.#deps;
    const { role, subjectId } = claims;
    const call = systemCall();
    const source = sources.find(({ name }) => name === claims.source);
    if (source === undefined) return undefined;
    const isFromNow = claims.epoch >= revocation.epoch;
    const [hasEnded, live, standing] = await Promise.all([
      isFromNow ? false : ended.includes(call, claims),
      source.isLive(call, role, claims),
      standingOf(standings, call, role, subjectId),
    ]);
    if (hasEnded || live === false || standing === false) return undefined;
    const credential = { source: claims.source, keyId: claims.keyId };
    const limits = { credential, ...(live !== true && { restriction: live }), ...(standing !== true && { standing }) };
    if (role !== "admin") return { ...tokenCaller(role, subjectId), ...limits };
    const access = await accessOf(directories, call, subjectId);
    return access && { role, adminId: subjectId, access, ...limits };
  }
}
