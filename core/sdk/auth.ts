/**
 * Issues and verifies credentials: access tokens, passwords, keys of machines and secrets that are stored encrypted.
 *
 * A plugin that stores credentials contributes a `CredentialSource`; the kernel exchanges them for access tokens and asks
 * the source whether a token still holds. The contracts `AccessTokens`, `LoginAttempts`, `PasswordHashing`, `Secrets` and
 * `Modules` are provided by the kernel and are named in `requires`.
 *
 * A person's password is hashed. A machine's secret, which is shown again, is sealed for the row that it belongs to: a
 * sealed value that is copied to another row does not open. Unknown names take as long as wrong secrets.
 *
 * @example
 * ```ts
 * import { equal, match, notEqual } from "node:assert/strict";
 * import { definePlugin } from "edgehelm";
 * import { newAccessKeyId, newAccessKeySecret, PasswordHashing, sealedSecrets, Secrets } from "edgehelm/auth";
 * import { testKernel } from "edgehelm/testing";
 *
 * const plugin = definePlugin({
 *   manifest: { name: "doors", version: "1.0.0", kernel: "^1", services: [], tables: [] },
 *   requires: { sealer: Secrets, passwords: PasswordHashing },
 *   async setup({ deps: { sealer, passwords }, every }) {
 *     // a machine's secret is encrypted for its row, because it is shown again
 *     const secrets = await sealedSecrets(sealer, "doors", "secret");
 *     const [uniqueId, secret] = [newAccessKeyId(), newAccessKeySecret()];
 *     const sealed = await secrets.seal(uniqueId, secret);
 *     notEqual(sealed, secret);
 *     equal(await secrets.matches(uniqueId, sealed, secret), true);
 *     equal(await secrets.matches(uniqueId, sealed, "guess"), false);
 *
 *     // a person's password is hashed
 *     every({
 *       name: "hash",
 *       everySeconds: 3600,
 *       async run(call) {
 *         const hash = await passwords.hash(call, "password", "correct horse");
 *         match(hash, /^\$argon2id\$/);
 *         equal(await passwords.verify(call, "correct horse", hash), true);
 *       },
 *     });
 *   },
 * });
 *
 * await using edgehelm = await testKernel({ plugins: [plugin] });
 * await edgehelm.kernel.runJob("doors.hash");
 * ```
 *
 * @module
 */
export { AdminDirectories, type AdminDirectory } from "../auth/admin_directory.ts";
export {
  AccessTokens,
  type CredentialHolder,
  type CredentialSource,
  CredentialSources,
  type IssuedToken,
  type TokenEnding,
  TokenEndings,
  type TokenHolder,
  type VerifiedCredential,
} from "../auth/credentials.ts";
export { LoginAttempts } from "../auth/login/login_attempts.ts";
export { constantTimeEqual, newAccessKeyId, newAccessKeySecret, randomAlphanumerics } from "../auth/random.ts";
export { type SealedSecrets, sealedSecrets } from "../auth/sealed_secrets.ts";
export type { SealedColumn } from "../auth/resealing/sealed_column.ts";
export type { SealedPlace, Sealer } from "../auth/sealer.ts";
export {
  isWebhookSignature,
  newWebhookSecret,
  type WebhookHeaders,
  webhookHeaders,
  webhookKey,
  webhookSignature,
} from "../auth/webhook_signature.ts";
export type { AdminAccess, Caller, TokenRole } from "../base/call.ts";
export type { CallerStanding } from "../base/caller_standing.ts";
export { CallerStandings, type CallerStandingSource } from "../base/caller_standings.ts";
export type { KeyAddressRange, KeyRestriction } from "../base/key_restriction.ts";
export type { Module } from "../base/modules.ts";
export { SECRET_MASK } from "../base/secret_names.ts";
export { requireModule, requireSelfOrSuper } from "../fields/admin_access.ts";
export { addressGroup } from "../net/remote_address.ts";
export { Modules, PasswordHashing, Secrets } from "../kernel/kernel_contracts.ts";
