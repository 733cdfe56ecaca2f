import type { JWTPayload } from "jose";

const ROLES = ["admin", "user", "dns", "node", "report"] as const;
const SUBJECT = /^([a-z]+):(0|[1-9]\d{0,18})$/;
const KEY_ID = /^(0|[1-9]\d{0,18})$/;

/** A role of callers that have a token. */
export type TokenRole = typeof ROLES[number];

/** The caller that a token identifies. */
export interface TokenSubject {
  readonly role: TokenRole;
  /** The id of the admin, user or node. */
  readonly subjectId: bigint;
  /** The id of the credential that the token was issued for. */
  readonly keyId: bigint;
  /** The name of the plugin that stores the credential. */
  readonly source: string;
}

/** The claims of a valid token. */
export interface TokenClaims extends TokenSubject {
  /** The expiry time in unix seconds, from which the token is no longer valid. */
  readonly expiresAt: number;
  /** The random id of the token. */
  readonly id: string;
}

/** Returns the subject as JWT claims. */
export function subjectPayload({ role, subjectId, keyId, source }: TokenSubject): JWTPayload {
  return { sub: `${role}:${subjectId}`, key: String(keyId), src: source };
}

/**
 * Reads the claims of a payload whose signature was verified.
 *
 * @returns undefined if a claim is missing or malformed
 */
export function readClaims({ sub, key, src, exp, jti }: JWTPayload): TokenClaims | undefined {
  const [, roleName, subjectId] = SUBJECT.exec(sub ?? "") ?? [];
  const role = ROLES.find((role) => role === roleName);
  if (role === undefined || subjectId === undefined || typeof key !== "string" || !KEY_ID.test(key)) return undefined;
  if (typeof src !== "string" || src === "" || exp === undefined || jti === undefined || jti === "") return undefined;
  return { role, subjectId: BigInt(subjectId), keyId: BigInt(key), source: src, expiresAt: exp, id: jti };
}
