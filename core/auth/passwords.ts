import { invalid } from "../base/errors.ts";
import { decodeBase64 } from "../protobuf/json/base64.ts";

/** The fewest characters of a new password. */
export const PASSWORD_MIN_CHARACTERS = 8;
/** The most bytes of a password in UTF-8; more is work for the asker's benefit only. */
export const PASSWORD_MAX_BYTES = 1024;

/** The cost of a new hash: argon2id as OWASP advises, about 20 MiB and a tenth of a second. */
export const PASSWORD_COST = {
  memoryKiB: 19_456,
  iterations: 2,
  parallelism: 1,
  saltBytes: 16,
  hashBytes: 32,
} as const;

/** Hashes and checks passwords. It is slow on purpose: call it outside any transaction. */
export interface Passwords {
  /** Refuses a password that breaks the rules, naming the field `password`; else its hash as PHC text. */
  hash(password: string): Promise<string>;
  /** False also, after the same work, when `phc` is not a hash that `hash` could have made. */
  verify(password: string, phc: string): Promise<boolean>;
  /** Does the work of `verify` and answers false: for a user that does not exist, so that time does not tell. */
  verifyNothing(password: string): Promise<false>;
}

/** One form for what different keyboards send as different code points: Unicode NFC. */
export function normalizePassword(password: string): string {
  return password.normalize("NFC");
}

/** Refuses a password that is too short or too long to be set; `field` is the request's name for it. */
export function checkNewPassword(field: string, password: string): void {
  const characters = [...normalizePassword(password)].length;
  if (characters < PASSWORD_MIN_CHARACTERS) {
    throw invalid(field, `must have at least ${PASSWORD_MIN_CHARACTERS} characters, got ${characters}`);
  }
  if (!isPossiblePassword(password)) throw invalid(field, `must have at most ${PASSWORD_MAX_BYTES} bytes`);
}

/** Whether anybody's password could be this one; it says nothing about any user, so answering early is safe. */
export function isPossiblePassword(password: string): boolean {
  const bytes = new TextEncoder().encode(normalizePassword(password)).length;
  return bytes > 0 && bytes <= PASSWORD_MAX_BYTES;
}

/** Whether `phc` was made at another cost than today's: hash the password again when it is next at hand. */
export function needsRehash(phc: string): boolean {
  const cost = readCost(phc);
  return cost === undefined || cost.memoryKiB !== PASSWORD_COST.memoryKiB ||
    cost.iterations !== PASSWORD_COST.iterations || cost.parallelism !== PASSWORD_COST.parallelism;
}

/** Whether `phc` is an argon2id hash of a cost that this process is willing to pay. */
export function isWithinCostLimit(phc: string): boolean {
  const cost = readCost(phc);
  return cost !== undefined && cost.memoryKiB <= 16 * PASSWORD_COST.memoryKiB && cost.iterations <= 16 &&
    cost.iterations > 0 && cost.parallelism > 0 && cost.parallelism <= 16 && cost.memoryKiB >= 8 * cost.parallelism;
}

/** What a PHC text of argon2id says: its cost, its salt and its hash. */
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

/** Undefined when it is no such text. */
export function readHash(phc: string): StoredHash | undefined {
  const [, , , , salt, hash] = PHC.exec(phc) ?? [];
  const cost = readCost(phc);
  const saltBytes = salt === undefined ? undefined : decodeBase64(salt);
  const hashBytes = hash === undefined ? undefined : decodeBase64(hash);
  if (cost === undefined || saltBytes === undefined || hashBytes === undefined) return undefined;
  return { ...cost, salt: saltBytes, hash: hashBytes };
}
