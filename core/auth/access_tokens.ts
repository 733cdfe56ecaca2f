import type { Call, TokenRole } from "../base/call.ts";
import { defineErrors } from "../base/errors.ts";
import { choiceField } from "../fields/fields.ts";
import { accessOf, type AdminDirectory } from "./admin_directory.ts";
import type { AccessTokens, CredentialHolder, CredentialSource, IssuedToken } from "./credentials.ts";
import type { LoginAttempts } from "./login_attempts.ts";
import type { Revocation } from "./revocation.ts";
import type { JwtTokens } from "./token.ts";

const errors = defineErrors("access_token", {
  refused: ["unauthenticated", () => "access key not found: no access token for this id, secret and type"],
});

/** Exchanges credentials for access tokens, using every credential source that plugins contributed. */
export class TokenExchange implements AccessTokens {
  readonly #tokens: JwtTokens<Call>;
  readonly #revocation: Revocation;
  readonly #sources: readonly CredentialSource[];
  readonly #directories: readonly AdminDirectory[];
  readonly #loginAttempts: LoginAttempts;

  constructor(
    tokens: JwtTokens<Call>,
    revocation: Revocation,
    sources: readonly CredentialSource[],
    directories: readonly AdminDirectory[],
    loginAttempts: LoginAttempts,
  ) {
    this.#tokens = tokens;
    this.#revocation = revocation;
    this.#sources = sources;
    this.#directories = directories;
    this.#loginAttempts = loginAttempts;
  }

  async issue(call: Call, type: string, keyId: string, secret: string): Promise<IssuedToken> {
    const role: TokenRole = choiceField("type", type, [...new Set(this.#sources.flatMap((source) => source.roles))]);
    const match = await this.#loginAttempts.guard(call, `key ${keyId}`, () => this.#verify(call, role, keyId, secret));
    if (match === undefined) throw errors.refused();
    const { token, claims } = await this.#tokens.issue(call, { role, ...match.holder, source: match.source.name });
    return { token, expiresAt: BigInt(claims.expiresAt) };
  }

  async #verify(
    call: Call,
    role: TokenRole,
    keyId: string,
    secret: string,
  ): Promise<{ readonly holder: CredentialHolder; readonly source: CredentialSource } | undefined> {
    for (const source of this.#sources) {
      if (!source.roles.includes(role)) continue;
      const holder = await source.verify(call, role, keyId, secret);
      if (holder === undefined) continue;
      const mayHaveToken = role !== "admin" ||
        await accessOf(this.#directories, call, holder.subjectId) !== undefined;
      return mayHaveToken ? { holder, source } : undefined;
    }
    return undefined;
  }

  recheck(call: Call): Promise<void> {
    return this.#revocation.increase(call);
  }
}
