import { invalid } from "../base/errors.ts";
import { decodeBase64 } from "../protobuf/json/base64.ts";

/** The minimum length of a new password in characters. */
export const PASSWORD_MIN_CHARACTERS = 8;
/** The maximum length of a password in UTF-8 bytes, which bounds the work that a caller can cause. */
export const PASSWORD_MAX_BYTES = 1024;

/**
 * The cost of a new hash: the argon2id parameters that OWASP's Password Storage Cheat Sheet recommends, about 20 MiB of
 * memory and a tenth of a second.
 */
export const PASSWORD_COST = {
  memoryKiB: 19_456,
  iterations: 2,
  parallelism: 1,
  saltBytes: 16,
  hashBytes: 32,
} as const;

/** Hashes and verifies passwords with argon2id (RFC 9106). Both are slow by design: call them outside transactions. */
export interface Passwords {
  /**
   * Returns the hash of a password as a PHC string.
   *
   * @throws RpcError invalid if the password does not meet the rules, naming the field `password`
   */
  hash(password: string): Promise<string>;
  /** Returns true if the password matches. Returns false after the same amount of work if `phc` is not a valid hash. */
  verify(password: string, phc: string): Promise<boolean>;
  /** Does the work of `verify` and returns false. Called for users that do not exist, so that timing does not reveal it. */
  verifyNothing(password: string): Promise<false>;
}

/** Returns the password in Unicode NFC, because keyboards encode the same character differently. */
export function normalizePassword(password: string): string {
  return password.normalize("NFC");
}

/** @throws RpcError invalid, naming `field`, if the password is too short or too long */
export function checkNewPassword(field: string, password: string): void {
  const characters = [...normalizePassword(password)].length;
  if (characters < PASSWORD_MIN_CHARACTERS) {
    throw invalid(field, `must have at least ${PASSWORD_MIN_CHARACTERS} characters, got ${characters}`);
  }
  if (!isPossiblePassword(password)) throw invalid(field, `must have at most ${PASSWORD_MAX_BYTES} bytes`);
}

/** Returns false if no user can have this password. The result depends on no user, so returning early leaks nothing. */
export function isPossiblePassword(password: string): boolean {
  const bytes = new TextEncoder().encode(normalizePassword(password)).length;
  return bytes > 0 && bytes <= PASSWORD_MAX_BYTES;
}

/** Returns true if `phc` was made with outdated parameters: hash the password again at the next login. */
export function needsRehash(phc: string): boolean {
  const cost = readCost(phc);
  return cost === undefined || cost.memoryKiB !== PASSWORD_COST.memoryKiB ||
    cost.iterations !== PASSWORD_COST.iterations || cost.parallelism !== PASSWORD_COST.parallelism;
}

/** Returns true if `phc` is an argon2id hash whose verification is not unreasonably expensive. */
export function isWithinCostLimit(phc: string): boolean {
  const cost = readCost(phc);
  return cost !== undefined && cost.memoryKiB <= 16 * PASSWORD_COST.memoryKiB && cost.iterations <= 16 &&
    cost.iterations > 0 && cost.parallelism > 0 && cost.parallelism <= 16 && cost.memoryKiB >= 8 * cost.parallelism;
}

/** The contents of an argon2id PHC string. */
export interface StoredHash extends HashCost {
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

interface HashCost {
  readonly memoryKiB: number;
  readonly iterations: number;
  readonly parallelism: number;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

function readCost(phc: string): HashCost | undefined {
  const match = PHC.exec(phc);
  if (match === null) return undefined;
  return { memoryKiB: Number(match[1]), iterations: Number(match[2]), parallelism: Number(match[3]) };
}

/** Parses an argon2id PHC string. Returns undefined if it is malformed. */
export function readHash(phc: string): StoredHash | undefined {
  const [, , , , salt, hash] = PHC.exec(phc) ?? [];
  const cost = readCost(phc);
  const saltBytes = salt === undefined ? undefined : decodeBase64(salt);
  const hashBytes = hash === undefined ? undefined : decodeBase64(hash);
  if (cost === undefined || saltBytes === undefined || hashBytes === undefined) return undefined;
  return { ...cost, salt: saltBytes, hash: hashBytes };
}
