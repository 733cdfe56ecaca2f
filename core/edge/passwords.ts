import { argon2id } from "@noble/hashes/argon2.js";
import {
  checkNewPassword,
  isPossiblePassword,
  isWithinCostLimit,
  normalizePassword,
  PASSWORD_COST,
  type Passwords,
  readHash,
} from "../auth/passwords.ts";
import { kernelErrors } from "../base/errors.ts";
import { encodeBase64 } from "../protobuf/json/base64.ts";

/** Half of the 128 MiB that an isolate has. */
const MAX_MEMORY_KIB = 65_536;

/**
 * Hashes with argon2id in JavaScript, since edge runtimes do not compile WebAssembly at run time. The hashes have the
 * same cost as on a host. Hashing takes 2.6 times as long and blocks the isolate for about 0.2 seconds.
 */
export class EdgePasswords implements Passwords {
  async hash(password: string): Promise<string> {
    checkNewPassword("password", password);
    const { memoryKiB, iterations, parallelism, saltBytes, hashBytes } = PASSWORD_COST;
    const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
    const hash = derive(password, salt, PASSWORD_COST, hashBytes);
    return `$argon2id$v=19$m=${memoryKiB},t=${iterations},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
  }

  async verify(password: string, phc: string): Promise<boolean> {
    if (!isPossiblePassword(password)) return false;
    const stored = isWithinCostLimit(phc) ? readHash(phc) : undefined;
    if (stored === undefined) return await this.verifyNothing(password);
    if (stored.memoryKiB > MAX_MEMORY_KIB) {
      throw kernelErrors.unavailable(`not enough memory to verify this password: it requires ${stored.memoryKiB} KiB`);
    }
    const hash = derive(password, stored.salt, stored, stored.hash.length);
    return stored.hash.reduce((difference, byte, index) => difference | (byte ^ hash[index]!), 0) === 0;
  }

  async verifyNothing(password: string): Promise<false> {
    if (isPossiblePassword(password)) {
      derive(password, new Uint8Array(PASSWORD_COST.saltBytes), PASSWORD_COST, PASSWORD_COST.hashBytes);
    }
    return false;
  }
}

interface Cost {
  readonly memoryKiB: number;
  readonly iterations: number;
  readonly parallelism: number;
}

function derive(password: string, salt: Uint8Array, cost: Cost, dkLen: number): Uint8Array {
  const { memoryKiB: m, iterations: t, parallelism: p } = cost;
  return argon2id(new TextEncoder().encode(normalizePassword(password)), salt, { m, t, p, dkLen });
}

/** Encodes base64 without padding, as the PHC string format requires. */
function base64(bytes: Uint8Array): string {
  return encodeBase64(bytes).replace(/={1,2}$/, "");
}
