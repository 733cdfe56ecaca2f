import type { Passwords } from "../auth/passwords.ts";
import type { Sealer } from "../auth/sealer.ts";
import type { Call } from "../base/call.ts";
import { type Contract, defineContract } from "../base/contract.ts";
import type { Module } from "../base/modules.ts";
import { guardHost } from "../plugin_api/host_part.ts";

/** Hashes and verifies passwords with argon2id, outside the event loop. It is slow, so it throws inside a transaction. */
export interface PasswordHashing {
  /**
   * Returns the hash of a password as a PHC string.
   *
   * @param field the name of the request field, for errors
   * @throws RpcError invalid if the password has fewer than 8 characters or more than 1024 bytes
   */
  hash(call: Call, field: string, password: string): Promise<string>;
  /** Returns true if the password matches the hash. */
  verify(call: Call, password: string, hash: string): Promise<boolean>;
  /** Takes as long as `verify` and returns false. Call it for an unknown name, so that timing does not reveal it. */
  verifyNothing(call: Call, password: string): Promise<false>;
}

/**
 * The kernel's contract for passwords.
 *
 * @example
 * ```ts
 * const passwordHash = await deps.passwords.hash(call, "password", request.password);
 * await call.transact((inner) => store.insert.run(inner, { username, passwordHash }));
 * ```
 */
export const PasswordHashing: Contract<PasswordHashing> = defineContract("kernel.password_hashing");

/**
 * The kernel's contract for encrypting values with the installation key, so that a copy of the database does not reveal
 * them.
 *
 * @example
 * ```ts
 * const place = { table: "nodeGrants", column: "password", row: uniqueId };
 * const sealed = await deps.secrets.seal(password, place);
 * const opened = await deps.secrets.open(sealed, place);
 * ```
 */
export const Secrets: Contract<Sealer> = defineContract("kernel.secrets");

/**
 * The kernel's contract for the modules that an admin may be given: `common`, and those that the enabled plugins declare.
 *
 * @example
 * ```ts
 * if (!deps.modules.some(({ code }) => code === request.code)) throw invalid("code", "no enabled plugin declares it");
 * ```
 */
export const Modules: Contract<readonly Module[]> = defineContract("kernel.modules");

/** Creates the implementation of the password contract from a hasher. */
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
