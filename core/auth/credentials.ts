import type { Call, TokenRole } from "../base/call.ts";
import { type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "../base/contract.ts";

/** Whom a credential stands for. */
export interface CredentialHolder {
  /** The admin, user or node. */
  readonly subjectId: bigint;
  /** The credential itself; its tokens end with it. */
  readonly keyId: bigint;
}

/** A plugin that keeps credentials (access keys, node secrets) which can be exchanged for tokens. */
export interface CredentialSource {
  /** The plugin's name; tokens carry it. */
  readonly name: string;
  /** The token types it answers for. */
  readonly roles: readonly TokenRole[];
  /**
   * The holder, when id and secret belong together and to that role, and credential and holder are usable. An unknown
   * id must cost what a wrong secret costs, so that ids cannot be probed by timing.
   */
  verify(call: Call, role: TokenRole, keyId: string, secret: string): Promise<CredentialHolder | undefined>;
  /** Whether a token given to this holder is still good: credential and holder are there and turned on. */
  isLive(call: Call, role: TokenRole, holder: CredentialHolder): Promise<boolean>;
}

/** Where plugins with credentials add themselves. */
export const CredentialSources: ExtensionPoint<CredentialSource> = defineExtensionPoint("kernel.credential_sources");

/** An access token as its holder gets it. */
export interface IssuedToken {
  readonly token: string;
  /** Unix seconds. */
  readonly expiresAt: bigint;
}

/** The kernel's contract for issuing and ending access tokens. */
export interface AccessTokens {
  /**
   * Exchanges a credential for a token.
   *
   * @throws invalid for a type that no enabled plugin has credentials of; otherwise one `unauthenticated` error for
   *   every fault of the credential
   */
  issue(call: Call, type: string, keyId: string, secret: string): Promise<IssuedToken>;
  /**
   * Makes every token be checked against its credential again, once the call's transaction is durable. Whoever turns
   * off or deletes a credential or its holder calls it in the same transaction.
   */
  recheck(call: Call): Promise<void>;
}
export const AccessTokens: Contract<AccessTokens> = defineContract("kernel.access_tokens");
