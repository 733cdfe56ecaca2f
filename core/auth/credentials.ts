import type { Call, TokenRole } from "../base/call.ts";
import type { KeyRestriction } from "../base/key_restriction.ts";
import { type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "../base/contract.ts";

/** The subject of a credential. */
export interface CredentialHolder {
  /** The id of the admin, user or node. */
  readonly subjectId: bigint;
  /** The id of the credential. Its tokens are revoked together with it. */
  readonly keyId: bigint;
  /** The restriction of the credential; absent if there is none. */
  readonly restriction?: KeyRestriction | undefined;
}

/**
 * A plugin that stores credentials, such as access keys or node secrets, which can be exchanged for access tokens.
 *
 * @example
 * ```ts
 * const source: CredentialSource = {
 *   name: "door",
 *   roles: ["admin"],
 *   async verify(call, _role, keyId, secret) {
 *     const key = await store.byUniqueId.first(call, { uniqueId: keyId });
 *     const matches = await secrets.matches(keyId, key?.sealedSecret, secret);
 *     return matches && key?.isOn === 1n ? { subjectId: key.adminId, keyId: key.id } : undefined;
 *   },
 *   async isLive(call, _role, { keyId }) {
 *     return (await store.byId.first(call, { id: keyId }))?.isOn === 1n;
 *   },
 * };
 * ```
 */
export interface CredentialSource {
  /** The name of the plugin. Tokens contain it. */
  readonly name: string;
  /** The roles that its credentials can have. */
  readonly roles: readonly TokenRole[];
  /**
   * Returns the holder if the id and the secret match a credential of that role, and both credential and holder are
   * enabled. An unknown id must take as long as a wrong secret, so that timing does not reveal which ids exist.
   */
  verify(call: Call, role: TokenRole, keyId: string, secret: string): Promise<CredentialHolder | undefined>;
  /**
   * Returns true if tokens of this holder are still valid: credential and holder exist and are enabled. If they are valid
   * for some calls only, it returns the restriction instead.
   */
  isLive(call: Call, role: TokenRole, holder: CredentialHolder): Promise<boolean | KeyRestriction>;
}

/**
 * The extension point for plugins that store credentials.
 *
 * @example
 * ```ts
 * contribute(CredentialSources, source);
 * ```
 */
export const CredentialSources: ExtensionPoint<CredentialSource> = defineExtensionPoint("kernel.credential_sources");

/** The holder of tokens that end: an admin, user or node with all its credentials, or one credential of a plugin. */
export type TokenHolder =
  | { readonly role: TokenRole; readonly subjectId: bigint }
  | { readonly source: string; readonly keyId: bigint };

/** A credential that was verified, with the name of the plugin that stores it. */
export interface VerifiedCredential extends CredentialHolder {
  readonly source: string;
}

/**
 * Hears that tokens end for good.
 *
 * @example
 * ```ts
 * contribute(TokenEndings, {
 *   ended: async (call, holder) => {
 *     if ("role" in holder) await store.deleteSessionsOf.run(call, { role: holder.role, subjectId: holder.subjectId });
 *   },
 * });
 * ```
 */
export interface TokenEnding {
  /** Runs in the transaction that ends the tokens of a holder. */
  ended(call: Call, holder: TokenHolder): Promise<void>;
}

/**
 * The extension point for plugins that keep what must end together with tokens, such as sessions.
 *
 * @example
 * ```ts
 * contribute(TokenEndings, { ended: (call, holder) => sessions.endOf(call, holder) });
 * ```
 */
export const TokenEndings: ExtensionPoint<TokenEnding> = defineExtensionPoint("kernel.token_endings");

/** An access token as it is returned to its holder. */
export interface IssuedToken {
  readonly token: string;
  /** The expiry time in unix seconds. */
  readonly expiresAt: bigint;
}

/** Issues and revokes access tokens. */
export interface AccessTokens {
  /**
   * Exchanges a credential for an access token.
   *
   * @param type the role of the credential: `admin`, `user`, `dns`, `node` or `report`
   * @throws RpcError invalid if no enabled plugin has credentials of this type; `access_token.refused` if the credential
   *   is unknown, disabled or its secret is wrong; exhausted after too many failed attempts
   */
  issue(call: Call, type: string, keyId: string, secret: string): Promise<IssuedToken>;
  /**
   * Checks a credential as `issue` does, without a token.
   *
   * @throws RpcError as `issue` does
   */
  verify(call: Call, type: string, keyId: string, secret: string): Promise<VerifiedCredential>;
  /**
   * Ends all tokens of a holder for good, on every instance, within a second after the call's transaction commits. They
   * stay refused when the holder is enabled again. Call it in the transaction that disables or deletes a credential or
   * its holder, or changes its secret.
   */
  end(call: Call, holder: TokenHolder): Promise<void>;
  /**
   * Makes every instance recheck all tokens against their credentials, within a second after the call's transaction
   * commits. Call it in the transaction that changes what `isLive` returns without ending tokens.
   */
  recheck(call: Call): Promise<void>;
}

/**
 * The kernel's contract for access tokens.
 *
 * @example
 * ```ts
 * requires: { tokens: AccessTokens },
 * setup({ db, deps: { tokens }, serve }) {
 *   const store = accessKeyStore(db());
 *   serve(DoorService, {
 *     async deleteKey({ id }, call) {
 *       await store.delete.run(call, { id });
 *       await tokens.end(call, { source: "door", keyId: id });
 *       return {};
 *     },
 *   });
 * },
 * ```
 */
export const AccessTokens: Contract<AccessTokens> = defineContract("kernel.access_tokens");
