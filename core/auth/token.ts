import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import { kernelErrors } from "../base/errors.ts";
import { decodeBase64url } from "./base64url.ts";
import { SIGNING_ALGORITHM } from "./signing_key.ts";
import type { SigningKeys } from "./signing_keys.ts";
import { readClaims, subjectPayload, type TokenClaims, type TokenSubject } from "./token_claims.ts";

const TYPE = "at+jwt";
const AUDIENCE = "edgehelm";
// Both are Ed25519: the name of RFC 8037 and the fully specified name of RFC 9864.
const ALGORITHMS = [SIGNING_ALGORITHM, "Ed25519"];
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;
const MAX_LENGTH = 2048;
// Applies to `nbf` and `iat` only, since the clock of another instance may be ahead. A token never outlives the expiry
// time that was returned with it, so `exp` has no leeway.
const LEEWAY_SECONDS = 60;

export interface JwtTokensOptions<Context> {
  readonly keys: SigningKeys<Context>;
  readonly installationId: string;
  readonly lifetimeSeconds: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Issues and verifies access tokens: JWTs of this installation in the profile of RFC 9068, signed with Ed25519. */
export class JwtTokens<Context> {
  readonly #options: JwtTokensOptions<Context>;
  readonly #issuer: string;

  constructor(options: JwtTokensOptions<Context>) {
    this.#options = options;
    this.#issuer = `edgehelm:${options.installationId}`;
  }

  /** @param until the unix seconds at which the credential expires, which the token does not outlive; 0 means never */
  async issue(context: Context, subject: TokenSubject, until = 0): Promise<{ token: string; claims: TokenClaims }> {
    const { kid, privateKey } = await this.#options.keys.current(context);
    const issuedAt = Math.floor(this.#options.now() / 1000);
    const latest = issuedAt + this.#options.lifetimeSeconds;
    const expiresAt = until === 0 ? latest : Math.min(latest, until);
    const id = crypto.randomUUID();
    const token = await new SignJWT(subjectPayload(subject))
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid })
      .setIssuer(this.#issuer)
      .setAudience(AUDIENCE)
      .setJti(id)
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(privateKey);
    return { token, claims: { ...subject, expiresAt, id } };
  }

  /**
   * Verifies a token and returns its claims.
   *
   * @throws RpcError `kernel.token_invalid`, whatever is wrong with the token; errors of the key store pass through
   */
  async verify(context: Context, token: string): Promise<TokenClaims> {
    const kid = readKid(token);
    const key = kid === undefined ? undefined : await this.#options.keys.verificationKey(context, kid);
    const payload = key === undefined ? undefined : await this.#verifiedPayload(token, key);
    const claims = payload === undefined ? undefined : readClaims(payload);
    if (claims === undefined) throw kernelErrors.token_invalid();
    return claims;
  }

  async #verifiedPayload(token: string, key: CryptoKey): Promise<JWTPayload | undefined> {
    const now = this.#options.now();
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ALGORITHMS,
        issuer: this.#issuer,
        audience: AUDIENCE,
        typ: TYPE,
        requiredClaims: ["exp", "iat", "nbf"],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(now),
      });
      const seconds = Math.floor(now / 1000);
      const isCurrent = payload.exp! > seconds && payload.iat! <= seconds + LEEWAY_SECONDS;
      return isCurrent ? payload : undefined;
    } catch {
      return undefined;
    }
  }
}

/**
 * Returns the key id in the header of a well-formed token. The header may contain only the fields that `issue` writes:
 * no `jwk`, `jku` or `x5u`, which supply a key, and no `crit`, which changes the rules.
 */
function readKid(token: string): string | undefined {
  if (token.length > MAX_LENGTH) return undefined;
  const segments = token.split(".").map(decodeBase64url);
  const [header] = segments;
  if (segments.length !== 3 || header === undefined || segments.includes(undefined)) return undefined;
  const { alg, kid, typ, ...others } = parseObject(new TextDecoder().decode(header));
  const isExpected = typeof alg === "string" && ALGORITHMS.includes(alg) && typ === TYPE &&
    Object.keys(others).length === 0;
  return isExpected && typeof kid === "string" && THUMBPRINT.test(kid) ? kid : undefined;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
