import { type Call, type Caller, tokenCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import { kernelErrors } from "../errors.ts";
import type { CredentialSource } from "./credentials.ts";
import type { Revocation } from "./revocation.ts";
import type { JwtTokens } from "./token.ts";
import { TokenCache } from "./token_cache.ts";
import type { TokenClaims } from "./token_claims.ts";

const CACHED_TOKENS = 20_000;

export interface AuthenticatorParts {
  readonly tokens: JwtTokens<Call>;
  readonly revocation: Revocation;
  readonly sources: readonly CredentialSource[];
  readonly clock: Clock;
  /** A call of the installation's own, to read with until a time in unix milliseconds. */
  readonly systemCall: (deadline?: number) => Call;
}

/** Turns an access token into a caller. A token is verified once; expiry and revocation are checked every time. */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #cache = new TokenCache<Caller>(CACHED_TOKENS);

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /** @throws RpcError unauthenticated, or unavailable when it cannot be found out whether the token still holds */
  authenticate(token: string | undefined): Caller | Promise<Caller> {
    if (token === undefined || token === "") throw kernelErrors.token_missing();
    const { revocation, systemCall } = this.#parts;
    return revocation.makeCurrent(systemCall)?.then(() => this.#find(token)) ?? this.#find(token);
  }

  #find(token: string): Caller | Promise<Caller> {
    const { clock, revocation } = this.#parts;
    const known = this.#cache.get(token, clock.now() / 1000);
    if (known === undefined) return this.#verify(token);
    return known.epoch === revocation.epoch ? known.extra : this.#recheck(token, known.claims);
  }

  async #verify(token: string): Promise<Caller> {
    const { tokens, systemCall } = this.#parts;
    return await this.#recheck(token, await tokens.verify(systemCall(), token));
  }

  async #recheck(token: string, claims: TokenClaims): Promise<Caller> {
    const { revocation, sources, systemCall } = this.#parts;
    const { epoch } = revocation;
    const source = sources.find((one) => one.name === claims.source);
    if (source === undefined || !await source.isLive(systemCall(), claims.role, claims)) {
      this.#cache.delete(token);
      throw kernelErrors.token_invalid();
    }
    const caller = tokenCaller(claims.role, claims.subjectId);
    this.#cache.set(token, { claims, epoch, extra: caller });
    return caller;
  }
}
