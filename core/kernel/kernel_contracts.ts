import type { Passwords } from "../auth/passwords.ts";
import type { Sealer } from "../auth/sealer.ts";
import type { Call } from "../base/call.ts";
import { type Contract, defineContract } from "../base/contract.ts";
import { guardHost } from "../plugin_api/host_part.ts";

/** Hashes passwords with argon2id, away from the event loop. Refuses to run inside a transaction, since it is slow. */
export interface PasswordHashing {
  /** @throws invalid naming `field` for a password that is too short or too long */
  hash(call: Call, field: string, password: string): Promise<string>;
  /** Whether the password is the one that was hashed. */
  verify(call: Call, password: string, hash: string): Promise<boolean>;
  /** Takes as long as `verify` and answers false: for a name that does not exist. */
  verifyNothing(call: Call, password: string): Promise<false>;
}
export const PasswordHashing: Contract<PasswordHashing> = defineContract("kernel.password_hashing");

/** Encrypts what a database dump must not give away, under the installation key. */
export const Secrets: Contract<Sealer> = defineContract("kernel.secrets");

/** The password contract over what the host has. */
export function passwordHashing(
  passwords: Passwords,
  check: (field: string, password: string) => void,
): PasswordHashing {
  return guardHost("kernel", {
    hash(_call: Call, field: string, password: string) {
      check(field, password);
      return passwords.hash(password);
    },
    verify: (_call: Call, password: string, hash: string) => passwords.verify(password, hash),
    verifyNothing: (_call: Call, password: string) => passwords.verifyNothing(password),
  });
}
