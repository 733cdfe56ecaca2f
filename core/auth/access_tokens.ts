import type { Call, TokenRole } from "../base/call.ts";
import { type CallerStandingSource, standingOf } from "../base/caller_standings.ts";
import type { Clock } from "../base/clock.ts";
import { defineErrors } from "../base/errors.ts";
import { requireUsableKey } from "../base/key_restriction.ts";
import { choiceField } from "../fields/fields.ts";
import { accessOf, type AdminDirectory } from "./admin_directory.ts";
import type {
  AccessTokens,
  CredentialHolder,
  CredentialSource,
  IssuedToken,
  TokenEnding,
  TokenHolder,
  VerifiedCredential,
} from "./credentials.ts";
import type { EndedTokens } from "./ended_tokens.ts";
import type { LoginAttempts } from "./login/login_attempts.ts";
import type { Revocation } from "./revocation.ts";
import type { JwtTokens } from "./token.ts";
import type { TokenSubject } from "./token_claims.ts";

/** The errors of the exchange of credentials for tokens. */
export const accessTokenErrors = defineErrors("access_token", {
  refused: ["unauthenticated", () => "access key not found: no access token for this id, secret and type"],
});

export interface TokenExchangeDeps {
  readonly tokens: JwtTokens<Call>;
  readonly revocation: Revocation;
  readonly ended: EndedTokens;
  readonly endings: readonly TokenEnding[];
  readonly sources: readonly CredentialSource[];
  readonly directories: readonly AdminDirectory[];
  readonly standings: readonly CallerStandingSource[];
  readonly loginAttempts: LoginAttempts;
  readonly clock: Clock;
  /** Records that a token is about to be issued. If it throws, there is no token. */
  readonly onIssue: (call: Call, subject: TokenSubject) => Promise<void>;
}

/** Exchanges credentials for access tokens, using every credential source that plugins contributed. */
export class TokenExchange implements AccessTokens {
  readonly #deps: TokenExchangeDeps;

  constructor(deps: TokenExchangeDeps) {
    this.#deps = deps;
  }

  async issue(call: Call, type: string, keyId: string, secret: string): Promise<IssuedToken> {
    const { tokens, revocation } = this.#deps;
    const role = this.#role(type);
    // Read before the credential: a token whose holder is turned off in between belongs to the earlier epoch.
    const epoch = await revocation.stored(call);
    const { subjectId, keyId: id, restriction, source } = await this.verify(call, role, keyId, secret);
    const subject = { role, subjectId, keyId: id, source, epoch };
    await this.#deps.onIssue(call, subject);
    const { token, claims } = await tokens.issue(call, subject, Number(restriction?.expiresAt ?? 0n));
    return { token, expiresAt: BigInt(claims.expiresAt) };
  }

  async verify(call: Call, type: string, keyId: string, secret: string): Promise<VerifiedCredential> {
    const { loginAttempts, clock } = this.#deps;
    const role = this.#role(type);
    const match = await loginAttempts.guard(call, `key ${keyId}`, () => this.#verify(call, role, keyId, secret));
    if (match === undefined) throw accessTokenErrors.refused();
    const { holder: { restriction }, source } = match;
    if (restriction !== undefined) requireUsableKey(restriction, call.remoteAddress, clock.now());
    return { ...match.holder, source: source.name };
  }

  #role(type: string): TokenRole {
    return choiceField("type", type, [...new Set(this.#deps.sources.flatMap((source) => source.roles))]);
  }

  async #verify(
    call: Call,
    role: TokenRole,
    keyId: string,
    secret: string,
  ): Promise<{ readonly holder: CredentialHolder; readonly source: CredentialSource } | undefined> {
    const { sources, directories, standings } = this.#deps;
    for (const source of sources) {
      if (!source.roles.includes(role)) continue;
      const holder = await source.verify(call, role, keyId, secret);
      if (holder === undefined) continue;
      const { subjectId } = holder;
      const hasAccess = role !== "admin" || await accessOf(directories, call, subjectId) !== undefined;
      return hasAccess && await standingOf(standings, call, role, subjectId) !== false ? { holder, source } : undefined;
    }
    return undefined;
  }

  async end(call: Call, holder: TokenHolder): Promise<void> {
    const { revocation, ended, endings } = this.#deps;
    await ended.end(call, holder, await revocation.increase(call));
    for (const ending of endings) await ending.ended(call, holder);
  }

  async recheck(call: Call): Promise<void> {
    await this.#deps.revocation.increase(call);
  }
}
