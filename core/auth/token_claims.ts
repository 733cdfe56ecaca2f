import type { JWTPayload } from "jose";

const ROLES = ["admin", "user", "dns", "node", "report"] as const;
const SUBJECT = /^([a-z]+):(0|[1-9]\d{0,18})$/;
const INTEGER = /^(0|[1-9]\d{0,18})$/;

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
  /** The revocation epoch before the credential was checked; 0 in tokens of releases that did not write it. */
  readonly epoch: bigint;
}

/** The claims of a valid token. */
export interface TokenClaims extends TokenSubject {
  /** The expiry time in unix seconds, from which the token is no longer valid. */
  readonly expiresAt: number;
  /** The random id of the token. */
  readonly id: string;
}

/** Returns the subject as JWT claims. */
export function subjectPayload({ role, subjectId, keyId, source, epoch }: TokenSubject): JWTPayload {
  return { sub: `${role}:${subjectId}`, key: String(keyId), src: source, epoch: String(epoch) };
}

/**
 * Reads the claims of a payload whose signature was verified.
 *
 * @returns undefined if a claim is missing or malformed
 */
export function readClaims({ sub, key, src, epoch = "0", exp, jti }: JWTPayload): TokenClaims | undefined {
  const [, roleName, subjectId] = SUBJECT.exec(sub ?? "") ?? [];
  const role = ROLES.find((role) => role === roleName);
  if (role === undefined || subjectId === undefined || !isInteger(key)) return undefined;
  if (!isInteger(epoch)) return undefined;
  if (typeof src !== "string" || src === "" || exp === undefined || jti === undefined || jti === "") return undefined;
  const subject = { role, subjectId: BigInt(subjectId), keyId: BigInt(key), source: src, epoch: BigInt(epoch) };
  return { ...subject, expiresAt: exp, id: jti };
}

function isInteger(claim: unknown): claim is string {
  return typeof claim === "string" && INTEGER.test(claim);
}
