import { type Call, type Contract, defineContract } from "edgehelm";

/** An account at a provider, with its private key. */
export interface ACMEAccount {
  readonly providerCode: string;
  /** A private key as `newKey` returns it. */
  readonly key: string;
  /** The URL of the account, which the provider assigned. */
  readonly url: string;
}

/** The data with which an account is registered. */
export interface ACMERegistration {
  readonly key: string;
  /** Empty for an account without a contact. */
  readonly email: string;
  /** The external account binding (RFC 8555, 7.3.4); an empty key id for none. */
  readonly eabKid: string;
  readonly eabKey: string;
}

/** An order (RFC 8555, 7.1.3). */
export interface ACMEOrder {
  readonly url: string;
  readonly status: string;
  readonly names: readonly string[];
  readonly authorizations: readonly string[];
  readonly finalize: string;
  /** Empty until the certificate is issued. */
  readonly certificate: string;
  /** The reason why the order is invalid, in the words of the provider. */
  readonly error: string;
  readonly retryAfterSeconds: number | undefined;
}

/** One way to prove control of a name. */
export interface ACMEChallenge {
  readonly type: string;
  readonly url: string;
  readonly token: string;
  readonly status: string;
  readonly error: string;
}

/** An authorization (RFC 8555, 7.1.4). */
export interface ACMEAuthorization {
  /** Without the label of a wildcard. */
  readonly name: string;
  readonly isWildcard: boolean;
  readonly status: string;
  readonly challenges: readonly ACMEChallenge[];
}

/**
 * Speaks ACME (RFC 8555) with providers. Every method reaches another machine, so that none may be called in a
 * transaction. All of them throw `ACMEError`.
 */
export interface ACMEConnections {
  /** Registers an account, or finds the one that has the key. Returns its URL. */
  register(call: Call, providerCode: string, registration: ACMERegistration): Promise<string>;
  /** Returns the URL of the account that has a key, or undefined. */
  find(call: Call, providerCode: string, key: string): Promise<string | undefined>;
  changeContact(call: Call, account: ACMEAccount, email: string): Promise<void>;
  changeKey(call: Call, account: ACMEAccount, newKey: string): Promise<void>;
  newOrder(call: Call, account: ACMEAccount, names: readonly string[]): Promise<ACMEOrder>;
  /**
   * Finds an order for exactly these names that can still lead to a certificate, among those that the provider lists. Not
   * all providers list orders.
   */
  findOrder(
    call: Call,
    account: ACMEAccount,
    names: readonly string[],
    exceptUrls: readonly string[],
  ): Promise<ACMEOrder | undefined>;
  order(call: Call, account: ACMEAccount, url: string): Promise<ACMEOrder>;
  authorization(call: Call, account: ACMEAccount, url: string): Promise<ACMEAuthorization>;
  /** Tells the provider that a challenge is ready to be checked. */
  answer(call: Call, account: ACMEAccount, challengeUrl: string): Promise<void>;
  /** Asks for the certificate of an order that is ready. */
  finalize(call: Call, account: ACMEAccount, finalizeUrl: string, csr: string): Promise<void>;
  /** Returns a certificate with its chain in PEM. */
  certificate(call: Call, account: ACMEAccount, url: string): Promise<string>;
  /** @param certificate in PEM; only the first one is revoked. @param reason a code of RFC 5280, 5.3.1 */
  revoke(call: Call, account: ACMEAccount, certificate: string, reason: number): Promise<void>;
}
export const ACMEConnections: Contract<ACMEConnections> = defineContract("acme_provider.connections");
