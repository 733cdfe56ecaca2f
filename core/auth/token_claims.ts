import type { JWTPayload } from "jose";

const ROLES = ["admin", "user", "dns", "node", "report"] as const;
const SUBJECT = /^([a-z]+):(0|[1-9]\d{0,18})$/;
const KEY_ID = /^(0|[1-9]\d{0,18})$/;

/** A kind of caller that has a token. */
export type TokenRole = typeof ROLES[number];

/** Who a token is for. */
export interface TokenSubject {
  readonly role: TokenRole;
  /** The admin's, user's or node's id. */
  readonly subjectId: bigint;
  /** The row of the credential that the token was given for. */
  readonly keyId: bigint;
  /** The plugin whose credential that is. */
  readonly source: string;
}

/** What a valid token says. */
export interface TokenClaims extends TokenSubject {
  /** Unix seconds; from then on the token is not valid. */
  readonly expiresAt: number;
  /** The token's own random id. */
  readonly id: string;
}

/** The subject as JWT claims. */
export function subjectPayload({ role, subjectId, keyId, source }: TokenSubject): JWTPayload {
  return { sub: `${role}:${subjectId}`, key: String(keyId), src: source };
}

/** Reads the claims of a payload whose signature was verified; undefined when one is missing or malformed. */
export function readClaims({ sub, key, src, exp, jti }: JWTPayload): TokenClaims | undefined {
  const [, roleName, subjectId] = SUBJECT.exec(sub ?? "") ?? [];
  const role = ROLES.find((known) => known === roleName);
  if (role === undefined || subjectId === undefined || typeof key !== "string" || !KEY_ID.test(key)) return undefined;
  if (typeof src !== "string" || src === "" || exp === undefined || jti === undefined || jti === "") return undefined;
  return { role, subjectId: BigInt(subjectId), keyId: BigInt(key), source: src, expiresAt: exp, id: jti };
}
